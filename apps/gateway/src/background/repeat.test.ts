import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { repeat } from './repeat.js';

it('a task keeps its previous interval if the next one cannot be computed, and each failure is reported', async () => {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  let runs = 0;
  let interval: number | null = 2_000;
  const stop = repeat({
    clock,
    intervalMilliseconds: () => {
      if (interval === null) throw new Error('the database is lost');
      return interval;
    },
    task: () => {
      runs += 1;
      interval = runs === 2 ? 5_000 : null;
      return Promise.resolve();
    },
    onFailure: (failure) => failures.push(failure),
  });
  await clock.advanceAsync(2_000);
  expect([runs, failures]).toEqual([1, [new Error('the database is lost')]]);
  await clock.advanceAsync(2_000);
  expect([runs, failures.length]).toEqual([2, 1]);
  await clock.advanceAsync(4_999);
  expect(runs).toBe(2);
  await clock.advanceAsync(1);
  expect(runs).toBe(3);
  await stop();
});
