import { setTimeout as delay } from 'node:timers/promises';
import { storeRefusal, StoreUnavailable } from '@tollgate/core';
import { DatabaseError } from 'pg';

/** The connection, not the database, failed: the statement may have taken effect or not. */
export class ConnectionLostError extends StoreUnavailable {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super(cause, 'the connection to the database was lost');
  }
}

/** The server ends the connection, or had to undo a transaction for reasons that are gone when it is tried again. */
const PASSING = /^(08...|40001|40P01|53300|57P0[1-5]|25P0[34])$/;
/** Connection, authorisation, transaction, rights, resources, operator intervention, system and internal errors. */
const STORE_CLASSES = /^(08|28|3D|40|53|55P03|57|58|F0|XX|25006|42501)/;
const STOOD_IN_LINE: ReadonlySet<string> = new Set(['55P03', '57014']);

/** The code that the database gave its refusal; `null` for anything else that was thrown. */
export function sqlStateOf(thrown: unknown): string | null {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError ? refusal.code ?? null : null;
}

/** Tells a server that is away, full, shutting down, read-only or locked up from a mistake in a statement. */
function storeFailure(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailable) return thrown;
  return STORE_CLASSES.test(sqlStateOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}

/** Whether the same thing may well succeed at the next attempt. It may have succeeded already. */
export function isTransient(thrown: unknown): boolean {
  return thrown instanceof ConnectionLostError || PASSING.test(sqlStateOf(thrown) ?? '');
}

/** Whether it waited for a lock until its time was up. Nothing has happened then. */
export function hasWaitedTooLong(thrown: unknown): boolean {
  return STOOD_IN_LINE.has(sqlStateOf(thrown) ?? '');
}

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
  if (!isTransient(thrown)) throw storeFailure(thrown);
  if (performance.now() > deadline) throw storeRefusal(thrown);
  await delay(pauseBefore(attempt));
}

/** Repeats what failed for a reason that passes, until a deadline. Only for what may happen twice and count once. */
export async function retryTransient<T>(task: () => Promise<T>, deadline = deadlineFromNow()): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfPassing(thrown, attempt, deadline);
    }
  }
}
