import { readFileSync } from 'node:fs';
import { CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';

/** A slot expires this long after its last renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** A process counts as alive for this long after its last announcement. */
const INSTANCE_LEASE_MILLISECONDS = 15_000;
/** Keys expire this much later than the scripts need them. */
const EXPIRY_MARGIN_MILLISECONDS = 5_000;

/** Constants of the scripts; durations are in milliseconds. */
const CONSTANTS = {
  WINDOW: MILLISECONDS_PER_MINUTE,
  LEASE: LEASE_MILLISECONDS,
  INSTANCE_LEASE: INSTANCE_LEASE_MILLISECONDS,
  EXPIRY_MARGIN: EXPIRY_MARGIN_MILLISECONDS,
  CALENDAR_LIFETIME: CALENDAR_LIFETIME_MILLISECONDS,
  REFUSING_CALENDAR: REFUSING_CALENDAR_MILLISECONDS,
  /** Arguments of each demand. */
  DEMAND_ARGUMENTS: 12,
  /** Arguments of each admission that is released. */
  RELEASE_ARGUMENTS: 8,
};

function read(name: string): string {
  return readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** A script of the folder `lua`, after the constants and the parts that it uses. */
export function luaScript(name: string, ...parts: readonly string[]): string {
  const constants = Object.entries(CONSTANTS).map(([constant, value]) => `local ${constant} = ${value}\n`).join('');
  return constants + [...parts, name].map(read).join('\n');
}
