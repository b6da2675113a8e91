import { StoreUnavailable } from '@tollgate/core';

/** Error code of SQLite or the system; `null` if the error has none. */
export function errorCodeOf(thrown: unknown): string | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

/** Codes of failures of file, disk, memory or locks. Other errors concern the statement. */
const STORE_CODES = /^(SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)|E(IO|NOSPC|DQUOT|ROFS|STALE)$)/;

/** Converts failures of the store to `StoreUnavailable`; returns other errors unchanged. */
export function storeFailure(thrown: unknown): unknown {
  return STORE_CODES.test(errorCodeOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}
