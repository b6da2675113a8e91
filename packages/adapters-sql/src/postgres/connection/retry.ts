import { setTimeout as delay } from 'node:timers/promises';
import { storeRefusal } from '@tollgate/core';
import { isPassing, storeFailure } from './database-errors.js';

const FIRST_PAUSE_MILLISECONDS = 5;
const LONGEST_PAUSE_MILLISECONDS = 500;
/** Requests wait for their money; after this long they are better told that it fails. */
const LONGEST_RETRY_MILLISECONDS = 10_000;

/** Grows quickly to a bound: deadlocks pass at once, restarts of a server take seconds. */
function pauseBefore(attempt: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, LONGEST_PAUSE_MILLISECONDS);
}

/** When to give up on what is asked for now, on the clock that `performance.now` reads. */
export function deadlineFromNow(): number {
  return performance.now() + LONGEST_RETRY_MILLISECONDS;
}

/** Waits a little when the reason will pass and there is still time; throws otherwise. */
async function pauseIfPassing(thrown: unknown, attempt: number, deadline: number): Promise<void> {
  if (!isPassing(thrown)) throw storeFailure(thrown);
  if (performance.now() > deadline) throw storeRefusal(thrown);
  await delay(pauseBefore(attempt));
}

/** Repeats what failed for a reason that passes, until a deadline. Only for what may happen twice and count once. */
export async function retryWhilePassing<T>(task: () => Promise<T>, deadline = deadlineFromNow()): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfPassing(thrown, attempt, deadline);
    }
  }
}
