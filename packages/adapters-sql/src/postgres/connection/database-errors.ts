import { DatabaseError } from 'pg';

/** The connection, not the database, failed: what was asked for may have been done, or not. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super(`the connection to the database was lost: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The server ends the connection, or had to undo a transaction for reasons that are gone when it is tried again. */
const PASSING = /^(08...|40001|40P01|53300|57P0[1-5]|25P0[34])$/;
const STOOD_IN_LINE: ReadonlySet<string> = new Set(['55P03', '57014']);

/** The code that the database gave its refusal; `null` for anything else that was thrown. */
export function sqlStateOf(thrown: unknown): string | null {
  return thrown instanceof DatabaseError ? thrown.code ?? null : null;
}

/** Whether the same thing may well succeed at the next attempt. It may have succeeded already. */
export function isPassing(thrown: unknown): boolean {
  return thrown instanceof ConnectionLostError || PASSING.test(sqlStateOf(thrown) ?? '');
}

/** Whether it waited for a lock until its time was up. Nothing has happened then. */
export function hasWaitedTooLong(thrown: unknown): boolean {
  return STOOD_IN_LINE.has(sqlStateOf(thrown) ?? '');
}
