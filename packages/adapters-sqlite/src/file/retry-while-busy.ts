import { setTimeout as delay } from 'node:timers/promises';
import { type GatewayError, storeRefusal } from '@tollgate/core';
import { errorCodeOf, storeFailure } from './sqlite-failures.js';

const MAX_PAUSE_MILLISECONDS = 25;
/** With the pauses below, about five seconds of waiting in all. */
export const BUSY_ATTEMPTS = 200;

/** Whether another process holds the lock that was needed. Nothing has happened then. */
export function isBusy(thrown: unknown): boolean {
  return errorCodeOf(thrown)?.startsWith('SQLITE_BUSY') ?? false;
}

/** Grows quickly to a bound: other processes' transactions last milliseconds. */
export function busyPause(attempt: number): number {
  return Math.min(2 ** attempt, MAX_PAUSE_MILLISECONDS);
}

export function busyTooLong(cause: unknown): GatewayError {
  return storeRefusal(cause);
}

/** Waits a little when the lock is taken and there is still hope; throws otherwise. */
async function pauseIfBusy(thrown: unknown, attempt: number): Promise<void> {
  if (!isBusy(thrown)) throw storeFailure(thrown);
  if (attempt >= BUSY_ATTEMPTS) throw busyTooLong(thrown);
  await delay(busyPause(attempt));
}

/** Runs a read, waiting without blocking the event loop while another process has the database locked. */
export async function retryWhileBusy<T>(task: () => T): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return task();
    } catch (thrown) {
      await pauseIfBusy(thrown, attempt);
    }
  }
}

/** The same for a task of several steps, which is begun again from the first. */
export async function repeatWhileBusy<T>(task: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfBusy(thrown, attempt);
    }
  }
}
