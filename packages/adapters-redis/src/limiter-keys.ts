import type { AccountId, IncidentLimit } from '@tollgate/core';

/** Names of an account's keys. The braces keep them on one cluster node, as scripts require. */
export interface AccountKeys {
  readonly window: string;
  readonly slots: string;
  readonly caps: string;
}

/** Identifies one setting of an incident limit. Each setting has its own counts. */
export type IncidentName = Pick<IncidentLimit, 'model' | 'setAt'>;

/** Keys of one incident limit for one account. */
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

/** Keys of a command: first the account's, then those of the incident limits. */
export interface CommandKeys {
  readonly all: readonly string[];
  /** Returns the number of an incident limit within the command, from 1; 0 for `null`. */
  numberOf(incident: IncidentName | null): number;
}

/** Prefix and account. They determine the names of the account's keys. */
export interface KeyOwner {
  readonly prefix: string;
  readonly accountId: AccountId;
}

export function commandKeys({ prefix, accountId }: KeyOwner, incidents: readonly (IncidentName | null)[]): CommandKeys {
  const { window, slots, caps } = accountKeys(prefix, accountId);
  const all = [window, slots, caps];
  const numbers = new Map<string, number>();
  for (const incident of incidents) {
    if (incident === null || numbers.has(nameOf(incident))) continue;
    const keys = incidentKeys(prefix, accountId, incident);
    all.push(keys.window, keys.slots);
    numbers.set(nameOf(incident), numbers.size + 1);
  }
  return { all, numberOf: (incident) => (incident === null ? 0 : numbers.get(nameOf(incident)) ?? 0) };
}

function nameOf({ model, setAt }: IncidentName): string {
  return `${setAt}:${model}`;
}
