import { StoreUnavailable } from '@tollgate/core';
import { DatabaseError } from 'pg';

/** The connection failed; the outcome of the statement is unknown. */
export class ConnectionLostError extends StoreUnavailable {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super(cause, 'the connection to the database was lost');
  }
}

/** SQL states of transient errors: the server closes the connection, or a transaction was rolled back. */
const PASSING = /^(08...|40001|40P01|53300|57P0[1-5]|25P0[34])$/;
/** Connection, authorisation, transaction, rights, resources, operator intervention, system and internal errors. */
const STORE_CLASSES = /^(08|28|3D|40|53|55P03|57|58|F0|XX|25006|42501)/;
const STOOD_IN_LINE: ReadonlySet<string> = new Set(['55P03', '57014']);

/** `null` if the error is not from the server. */
export function sqlStateOf(thrown: unknown): string | null {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError ? refusal.code ?? null : null;
}

/** Converts errors of a server that is away, full, shutting down, read-only or locked; statement errors stay. */
export function storeFailure(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailable) return thrown;
  return STORE_CLASSES.test(sqlStateOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}

/** Reported if a migration changed the result of a prepared statement; the message may be translated. */
const REVALIDATION = 'RevalidateCachedQuery';

/** True if a prepared statement is older than the schema. It had no effect, and a new connection can run it. */
export function isStalePlan(thrown: unknown): boolean {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError && refusal.code === '0A000' && refusal.routine === REVALIDATION;
}

/** True if the task may succeed when repeated. It may have succeeded already. */
export function isTransient(thrown: unknown): boolean {
  return thrown instanceof ConnectionLostError || isStalePlan(thrown) || PASSING.test(sqlStateOf(thrown) ?? '');
}

/** True for a lock or statement timeout; the statement had no effect. */
export function hasWaitedTooLong(thrown: unknown): boolean {
  return STOOD_IN_LINE.has(sqlStateOf(thrown) ?? '');
}
