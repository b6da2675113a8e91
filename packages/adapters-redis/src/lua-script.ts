import { readFileSync } from 'node:fs';
import { CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';

/** Time after its last renewal at which a slot is free again. */
export const LEASE_MILLISECONDS = 30_000;
/** Time after its last announcement at which a process is no longer counted. */
const INSTANCE_LEASE_MILLISECONDS = 15_000;
/** Keys expire this long after the scripts have no more use for them. */
const EXPIRY_MARGIN_MILLISECONDS = 5_000;

/** Constants that the scripts use. Durations are in milliseconds. */
const CONSTANTS = {
  WINDOW: MILLISECONDS_PER_MINUTE,
  LEASE: LEASE_MILLISECONDS,
  INSTANCE_LEASE: INSTANCE_LEASE_MILLISECONDS,
  EXPIRY_MARGIN: EXPIRY_MARGIN_MILLISECONDS,
  CALENDAR_LIFETIME: CALENDAR_LIFETIME_MILLISECONDS,
  REFUSING_CALENDAR: REFUSING_CALENDAR_MILLISECONDS,
  /** Number of arguments per demand. */
  DEMAND_ARGUMENTS: 12,
  /** Number of arguments per released admission. */
  RELEASE_ARGUMENTS: 8,
};

function read(name: string): string {
  return readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** Reads a script from the folder `lua`. Puts the constants and the named parts before it. */
export function luaScript(name: string, ...parts: readonly string[]): string {
  const constants = Object.entries(CONSTANTS).map(([constant, value]) => `local ${constant} = ${value}\n`).join('');
  return constants + [...parts, name].map(read).join('\n');
}
