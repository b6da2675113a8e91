import { expect, test } from '@jest/globals';
import { TurnBudget } from './turn-budget.js';
import { nextTurn } from './turn-queue.js';

test('a turn of the event loop is open for work until its time is used up, and the next turn is open again', async () => {
  let milliseconds = 1_000;
  const room = new TurnBudget(5, () => milliseconds);
  const atOnce = room.isOpen();
  milliseconds += 4.9;
  const before = room.isOpen();
  milliseconds += 0.1;
  const usedUp = room.isOpen();
  await nextTurn();
  const nextOne = room.isOpen();
  expect([atOnce, before, usedUp, nextOne]).toEqual([true, true, false, true]);
});
