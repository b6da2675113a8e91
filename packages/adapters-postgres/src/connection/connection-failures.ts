import { StoreUnavailable } from '@tollgate/core';
import { DatabaseError } from 'pg';

/** The connection failed. The outcome of its last statement is unknown. */
export class ConnectionLostError extends StoreUnavailable {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super(cause, 'the connection to the database was lost');
  }
}

/** Converts the failure of an attempt to connect. A refusal by the server stays as it is. */
export function connectFailure(thrown: unknown): DatabaseError | ConnectionLostError {
  return thrown instanceof DatabaseError ? thrown : new ConnectionLostError(thrown);
}

/** SQL states of transient errors: the server refused or closed the connection, or rolled back the transaction. */
const PASSING = /^(08...|40001|40P01|53300|57P0[1-5]|25P0[34])$/;
/** SQL states of failures of the server: connection, authorisation, transaction, rights, resources, shutdown, system and internal errors. */
const STORE_CLASSES = /^(08|28|3D|40|53|55P03|57|58|F0|XX|25006|42501)/;
const STOOD_IN_LINE: ReadonlySet<string> = new Set(['55P03', '57014']);

/** Returns `null` if the error is not from the server. */
export function sqlStateOf(thrown: unknown): string | null {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError ? refusal.code ?? null : null;
}

/** Converts failures of the server, such as a full disk or a shutdown, to `StoreUnavailable`. Returns other errors unchanged. */
export function storeFailure(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailable) return thrown;
  return STORE_CLASSES.test(sqlStateOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}

/** Routine of the server that reports that a migration changed a prepared statement's result. Its name, unlike the message, is never translated. */
const REVALIDATION = 'RevalidateCachedQuery';

/** True if the error says that a prepared statement is older than the schema. The statement had no effect; it works on a new connection. */
export function isStalePlan(thrown: unknown): boolean {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError && refusal.code === '0A000' && refusal.routine === REVALIDATION;
}

/** True if the task may succeed when repeated. Its first attempt may have taken effect nevertheless. */
export function isTransient(thrown: unknown): boolean {
  return thrown instanceof ConnectionLostError || isStalePlan(thrown) || PASSING.test(sqlStateOf(thrown) ?? '');
}

/** True for a lock timeout or a statement timeout. The statement had no effect. */
export function hasWaitedTooLong(thrown: unknown): boolean {
  return STOOD_IN_LINE.has(sqlStateOf(thrown) ?? '');
}
