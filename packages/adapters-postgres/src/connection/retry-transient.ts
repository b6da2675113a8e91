import { setTimeout as delay } from 'node:timers/promises';
import { storeRefusal } from '@tollgate/core';
import { isTransient, storeFailure } from './connection-failures.js';

const FIRST_PAUSE_MILLISECONDS = 5;
const MAX_PAUSE_MILLISECONDS = 500;
/** A task that still fails after this time is not repeated. */
const MAX_RETRY_MILLISECONDS = 10_000;

/** Exponential backoff with a maximum: deadlocks end at once, server restarts take seconds. */
function pauseBefore(attempt: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, MAX_PAUSE_MILLISECONDS);
}

/** Deadline in terms of `performance.now()`. */
export function deadlineFromNow(): number {
  return performance.now() + MAX_RETRY_MILLISECONDS;
}

/** Waits before the next attempt. Throws if the error is permanent or the deadline has passed. */
async function pauseIfPassing(thrown: unknown, attempt: number, deadline: number): Promise<void> {
  if (!isTransient(thrown)) throw storeFailure(thrown);
  if (performance.now() > deadline) throw storeRefusal(thrown);
  await delay(pauseBefore(attempt));
}

/** Repeats the task, until the deadline, while it fails with transient errors. The task must be idempotent. */
export async function retryTransient<T>(task: () => Promise<T>, deadline = deadlineFromNow()): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfPassing(thrown, attempt, deadline);
    }
  }
}
