import { StoreUnavailable } from '@tollgate/core';

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
