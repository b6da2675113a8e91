import { setTimeout as delay } from 'node:timers/promises';
import { type GatewayError, storeRefusal } from '@tollgate/core';
import { errorCodeOf, storeFailure } from './sqlite-failures.js';

const MAX_PAUSE_MILLISECONDS = 25;
/** Number of retries before an operation fails, about five seconds in total. */
export const BUSY_ATTEMPTS = 200;

/** True if another process holds the lock that the statement requires. */
export function isBusy(thrown: unknown): boolean {
  return errorCodeOf(thrown)?.startsWith('SQLITE_BUSY') ?? false;
}

/** Milliseconds before a retry. They grow exponentially up to a maximum, since transactions of other processes last milliseconds. */
export function busyPause(attempt: number): number {
  return Math.min(2 ** attempt, MAX_PAUSE_MILLISECONDS);
}

export function busyTooLong(cause: unknown): GatewayError {
  return storeRefusal(cause);
}

/** Waits before the next attempt. Throws an error that is not about locks, and any error of the last attempt. */
async function pauseIfBusy(thrown: unknown, attempt: number): Promise<void> {
  if (!isBusy(thrown)) throw storeFailure(thrown);
  if (attempt >= BUSY_ATTEMPTS) throw busyTooLong(thrown);
  await delay(busyPause(attempt));
}

/** Repeats the task while another process holds a lock, without blocking the event loop in between. */
export async function retryWhileBusy<T>(task: () => T): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return task();
    } catch (thrown) {
      await pauseIfBusy(thrown, attempt);
    }
  }
}

/** Like `retryWhileBusy`, for an asynchronous task. Each retry starts the whole task again. */
export async function repeatWhileBusy<T>(task: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfBusy(thrown, attempt);
    }
  }
}
