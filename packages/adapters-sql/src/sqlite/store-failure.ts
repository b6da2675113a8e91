import { StoreUnavailable } from '@tollgate/core';
import { errorCodeOf } from './error-code.js';

/** What SQLite and the system say when the file, its disk or its memory fails; any other refusal is a mistake in a statement. */
const STORE_CODES = /^(SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY)|E(IO|NOSPC|DQUOT|ROFS|STALE)$)/;

/** Tells a store that is away or damaged from other failures. */
export function storeFailure(thrown: unknown): unknown {
  return STORE_CODES.test(errorCodeOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}
