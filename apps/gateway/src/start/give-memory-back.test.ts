import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from '@jest/globals';
import { collectGarbage } from './give-memory-back.js';

const VALUES = 400_000;

/** Room that the runtime keeps for values that were just made. */
function roomForNewValues(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

it('gives back the room that the runtime has taken for values that are gone', () => {
  const values = Array.from({ length: VALUES }, (_, number) => ({ number, text: `value ${number}` }));
  const taken = roomForNewValues();
  expect(values).toHaveLength(VALUES);
  collectGarbage();
  expect(roomForNewValues()).toBeLessThan(taken / 2);
});
