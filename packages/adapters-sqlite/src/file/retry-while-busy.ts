import { setTimeout as delay } from 'node:timers/promises';
import { type GatewayError, storeRefusal } from '@tollgate/core';
import { errorCodeOf, storeFailure } from './sqlite-failures.js';

const MAX_PAUSE_MILLISECONDS = 25;
/** About five seconds in total. */
export const BUSY_ATTEMPTS = 200;

/** True if another process holds a lock. */
export function isBusy(thrown: unknown): boolean {
  return errorCodeOf(thrown)?.startsWith('SQLITE_BUSY') ?? false;
}

/** Bounded exponential backoff: other processes' transactions last milliseconds. */
export function busyPause(attempt: number): number {
  return Math.min(2 ** attempt, MAX_PAUSE_MILLISECONDS);
}

export function busyTooLong(cause: unknown): GatewayError {
  return storeRefusal(cause);
}

/** Throws for other errors and after the last attempt. */
async function pauseIfBusy(thrown: unknown, attempt: number): Promise<void> {
  if (!isBusy(thrown)) throw storeFailure(thrown);
  if (attempt >= BUSY_ATTEMPTS) throw busyTooLong(thrown);
  await delay(busyPause(attempt));
}

/** Waits for other processes' locks without blocking the event loop. */
export async function retryWhileBusy<T>(task: () => T): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return task();
    } catch (thrown) {
      await pauseIfBusy(thrown, attempt);
    }
  }
}

/** Restarts the whole task. */
export async function repeatWhileBusy<T>(task: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfBusy(thrown, attempt);
    }
  }
}
