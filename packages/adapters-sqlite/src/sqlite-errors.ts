import { setTimeout as delay } from 'node:timers/promises';
import { type GatewayError, storeRefusal, StoreUnavailable } from '@tollgate/core';

/** The code that SQLite and the operating system put on their errors; `null` for anything else that was thrown. */
export function errorCodeOf(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

/** What SQLite and the system say when the file, its disk or its memory fails; any other refusal is a mistake in a statement. */
const STORE_CODES = /^(SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)|E(IO|NOSPC|DQUOT|ROFS|STALE)$)/;

/** Tells a store that is away or damaged from other failures. */
export function storeFailure(thrown: unknown): unknown {
  return STORE_CODES.test(errorCodeOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}

const LONGEST_PAUSE_MILLISECONDS = 25;
/** With the pauses below, about five seconds of waiting in all. */
export const BUSY_ATTEMPTS = 200;

/** Whether another process holds the lock that was needed. Nothing has happened then. */
export function isBusy(thrown: unknown): boolean {
  return errorCodeOf(thrown)?.startsWith('SQLITE_BUSY') ?? false;
}

/** Grows quickly to a bound: other processes' transactions last milliseconds. */
export function busyPause(attempt: number): number {
  return Math.min(2 ** attempt, LONGEST_PAUSE_MILLISECONDS);
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
