import type { AccountId, IncidentLimit } from '@tollgate/core';

/** The braces keep an account's keys on one cluster node, as a script requires. */
export interface AccountKeys {
  readonly window: string;
  readonly slots: string;
  readonly caps: string;
}

/** Identifies one setting of an incident limit, and its counts. */
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

/** An account's keys, then those of the command's incident limits. */
export interface CommandKeys {
  readonly all: readonly string[];
  /** Number of the incident limit in a command, from 1; 0 if there is none. */
  numberOf(incident: IncidentName | null): number;
}

/** Prefix and account, which name an account's keys. */
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
