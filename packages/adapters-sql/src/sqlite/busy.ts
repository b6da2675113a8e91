import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { GatewayError } from '@tollgate/core';

const LONGEST_PAUSE_MILLISECONDS = 25;
/** With the pauses below, about five seconds of waiting in all. */
export const BUSY_ATTEMPTS = 200;

/** Whether another process holds the lock that was needed. Nothing has happened then. */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY');
}

/** Grows quickly to a bound: other processes' transactions last milliseconds. */
export function busyPause(attempt: number): number {
  return Math.min(2 ** attempt, LONGEST_PAUSE_MILLISECONDS);
}

export function busyTooLong(cause: unknown): GatewayError {
  return new GatewayError('internal_error', 'The service failed to handle this request. Please try again.', { cause });
}

/** The error itself unless it says that the lock is taken and there is still hope. */
function rethrowUnlessBusy(thrown: unknown, attempt: number): void {
  if (!isBusy(thrown)) throw thrown;
  if (attempt >= BUSY_ATTEMPTS) throw busyTooLong(thrown);
}

/** Runs a read, waiting without blocking the event loop while another process has the database locked. */
export async function retryWhileBusy<T>(task: () => T): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return task();
    } catch (thrown) {
      rethrowUnlessBusy(thrown, attempt);
    }
    await delay(busyPause(attempt));
  }
}
