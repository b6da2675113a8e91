import type { CreditRecords } from '@tollgate/core';

/** For stores that do not track the unspent part of credits: no credit is listed, and no account is due for an expiry. */
export const NO_CREDITS: CreditRecords = { list: () => Promise.resolve([]), due: () => Promise.resolve([]), expire: () => Promise.resolve('done') };
