import type { AccountId } from '@tollgate/core';
import { accountKeys, incidentKeys, type IncidentName } from './account-keys.js';

/** The keys of one command: an account's, then those of the incident limits that the command names. */
export interface CommandKeys {
  readonly all: readonly string[];
  /** The place of an incident limit among them, from 1; 0 for none. */
  numberOf(incident: IncidentName | null): number;
}

/** Begins every key, and whose they are. */
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
