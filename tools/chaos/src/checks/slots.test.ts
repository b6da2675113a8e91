import { describe, expect, it } from '@jest/globals';
import { leakedSlots, SeenSlots } from './slots.js';

describe('slots', () => {
  it('held by an account are reported if they exceed its permitted number', () => {
    const slots = new SeenSlots();
    expect(slots.look([{ holder: 'one', what: 'slots', held: 3, limit: 3 }, { holder: 'two', what: 'requests', held: 9, limit: Infinity }])).toEqual([]);
    expect(slots.look([{ holder: 'one', what: 'slots', held: 4, limit: 3 }])).toEqual(['I13: one held 4 of 3 slots']);
    expect(slots.most).toBe(4);
  });

  it('are reported if they are held at rest', () => {
    expect(leakedSlots([{ holder: 'one', what: 'requests', held: 1, limit: 3 }, { holder: 'two', what: 'slots', held: 0, limit: 3 }])).toEqual(['I13: one still holds 1 requests']);
  });
});
