import { expect, it } from '@jest/globals';
import { sharedCounterContract } from '@tollgate/testkit';
import { ManualClock } from './manual-clock.js';
import { MemoryCounter } from './memory-counter.js';

const MINUTE = 60_000;

sharedCounterContract('memory', () => new MemoryCounter(new ManualClock()));

it('the counter in memory starts again from zero after its window', async () => {
  const clock = new ManualClock();
  const counter = new MemoryCounter(clock);
  await counter.add('alice', 5, MINUTE);
  clock.advance(MINUTE - 1);
  expect(await counter.add('alice', 1, MINUTE)).toEqual({ total: 6, endsInMilliseconds: 1 });
  clock.advance(1);
  expect(await counter.add('alice', 1, MINUTE)).toEqual({ total: 1, endsInMilliseconds: MINUTE });
});

it('the counter in memory stores a bounded number of names, and forgets a name after its window', async () => {
  const clock = new ManualClock();
  const counter = new MemoryCounter(clock, 3);
  for (const name of ['a', 'b', 'c', 'd']) await counter.add(name, 1, MINUTE);
  expect(counter.size).toBe(3);
  expect((await counter.add('d', 1, MINUTE)).total).toBe(2);
  clock.advance(MINUTE);
  await counter.add('e', 1, MINUTE);
  expect(counter.size).toBe(1);
});
