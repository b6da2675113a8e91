import { readFileSync } from 'node:fs';
import { CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';

/** How long a slot stays held after its last renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** How long a process counts as alive after its last announcement. */
const INSTANCE_LEASE_MILLISECONDS = 15_000;
/** Time for which keys are kept beyond the scripts' needs. */
const EXPIRY_MARGIN_MILLISECONDS = 5_000;

/** Constants of the scripts; durations in milliseconds. */
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

/** Reads a script from the folder `lua`, with constants and included parts. */
export function luaScript(name: string, ...parts: readonly string[]): string {
  const constants = Object.entries(CONSTANTS).map(([constant, value]) => `local ${constant} = ${value}\n`).join('');
  return constants + [...parts, name].map(read).join('\n');
}
