import { expect, it } from '@jest/globals';
import { TurnRoom } from './turn-room.js';
import { nextTurn } from './turns.js';

it('has room for so much in one turn, and for as much again in the next', async () => {
  const room = new TurnRoom(100);
  expect([60, 60, 40, 1].map((amount) => room.take(amount))).toEqual([true, false, true, false]);
  await Promise.resolve();
  expect(room.take(1)).toBe(false);
  await nextTurn();
  expect([100, 1].map((amount) => room.take(amount))).toEqual([true, false]);
  await nextTurn();
  expect(room.take(101)).toBe(false);
});
