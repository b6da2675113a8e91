import { expect, it } from '@jest/globals';
import { Turns } from './turns.js';

it('gives everybody who asks at the same time a turn of the event loop of their own, in order', async () => {
  const turns = new Turns();
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const taken = await Promise.all([1, 2, 3].map(async () => {
    await turns.take();
    return turn;
  }));
  counting = false;
  expect(new Set(taken).size).toBe(3);
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
});
