import { readFileSync } from 'node:fs';
import { CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';

/** Lease of a slot from its last renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** Lease of a process from its last announcement. */
const INSTANCE_LEASE_MILLISECONDS = 15_000;
/** Lifetime of keys beyond the scripts' needs. */
const EXPIRY_MARGIN_MILLISECONDS = 5_000;

/** Constants of the scripts; durations in milliseconds. */
const CONSTANTS = {
  WINDOW: MILLISECONDS_PER_MINUTE,
  LEASE: LEASE_MILLISECONDS,
  INSTANCE_LEASE: INSTANCE_LEASE_MILLISECONDS,
  EXPIRY_MARGIN: EXPIRY_MARGIN_MILLISECONDS,
  CALENDAR_LIFETIME: CALENDAR_LIFETIME_MILLISECONDS,
  REFUSING_CALENDAR: REFUSING_CALENDAR_MILLISECONDS,
  /** Per demand. */
  DEMAND_ARGUMENTS: 12,
  /** Per released admission. */
  RELEASE_ARGUMENTS: 8,
};

function read(name: string): string {
  return readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** From the folder `lua`, with constants and included parts. */
export function luaScript(name: string, ...parts: readonly string[]): string {
  const constants = Object.entries(CONSTANTS).map(([constant, value]) => `local ${constant} = ${value}\n`).join('');
  return constants + [...parts, name].map(read).join('\n');
}
