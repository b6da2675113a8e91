import { describe, expect, it } from '@jest/globals';
import { oncePer } from './once-per.js';

describe('what is worked out once for each object', () => {
  it('is the same for the same object, and another for an equal one', () => {
    const doubled = oncePer(({ value }: { readonly value: number }) => ({ value: 2 * value }));
    const subject = { value: 2 };
    expect(doubled(subject)).toEqual({ value: 4 });
    expect(doubled(subject)).toBe(doubled(subject));
    expect(doubled({ value: 2 })).not.toBe(doubled(subject));
  });
});
