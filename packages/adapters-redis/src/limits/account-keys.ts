import type { AccountId } from '@tollgate/core';

/** Where Redis keeps an account's counts. The braces put all of them on one node of a cluster, as one script needs them. */
export interface AccountKeys {
  readonly window: string;
  readonly slots: string;
  readonly caps: string;
}

export function accountKeys(prefix: string, accountId: AccountId): AccountKeys {
  const account = `${prefix}limits:{${accountId}}:`;
  return { window: `${account}window`, slots: `${account}slots`, caps: `${account}caps` };
}
