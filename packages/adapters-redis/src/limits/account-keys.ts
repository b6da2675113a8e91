import type { AccountId, IncidentLimit } from '@tollgate/core';

/** Where Redis keeps an account's counts. The braces put all of them on one node of a cluster, as one script needs them. */
export interface AccountKeys {
  readonly window: string;
  readonly slots: string;
  readonly caps: string;
}

/** Names one setting of an incident limit, and with it the counts that begin with it. */
export type IncidentName = Pick<IncidentLimit, 'model' | 'setAt'>;

/** Where Redis keeps what an account asked of a model under an incident limit. */
export type IncidentKeys = Pick<AccountKeys, 'window' | 'slots'>;

export function accountKeys(prefix: string, accountId: AccountId): AccountKeys {
  const account = accountPrefix(prefix, accountId);
  return { window: `${account}window`, slots: `${account}slots`, caps: `${account}caps` };
}

export function incidentKeys(prefix: string, accountId: AccountId, { model, setAt }: IncidentName): IncidentKeys {
  const incident = `${accountPrefix(prefix, accountId)}incident:${setAt}:${model}:`;
  return { window: `${incident}window`, slots: `${incident}slots` };
}

function accountPrefix(prefix: string, accountId: AccountId): string {
  return `${prefix}limits:{${accountId}}:`;
}
