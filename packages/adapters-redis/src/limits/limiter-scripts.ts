import { readFileSync } from 'node:fs';
import { CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';

/** Milliseconds a slot is held without a renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** How often the process that holds a slot renews it: two renewals may fail before the slot is lost. */
export const RENEWAL_MILLISECONDS = 10_000;
/** Redis forgets a key this much later than the scripts do. */
const FORGETTING_MILLISECONDS = 5_000;

/** What the scripts call figures by that they share with the core and with their callers; durations are milliseconds. */
const FIGURES = {
  WINDOW: MILLISECONDS_PER_MINUTE,
  LEASE: LEASE_MILLISECONDS,
  FORGETTING: FORGETTING_MILLISECONDS,
  CALENDAR_LIFETIME: CALENDAR_LIFETIME_MILLISECONDS,
  REFUSING_CALENDAR: REFUSING_CALENDAR_MILLISECONDS,
  /** Arguments of each demand. */
  DEMAND_ARGUMENTS: 12,
  /** Arguments of each admission that is released. */
  RELEASE_ARGUMENTS: 8,
};

function textOf(name: string): string {
  return readFileSync(new URL(`../../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** A script with the figures and the parts that it uses before it. */
function scriptOf(name: string, ...parts: readonly string[]): string {
  const figures = Object.entries(FIGURES).map(([figure, value]) => `local ${figure} = ${value}\n`).join('');
  return figures + [...parts, name].map(textOf).join('\n');
}

export const ADMIT_SCRIPT = scriptOf('admit', 'clock', 'window');
export const RELEASE_SCRIPT = scriptOf('release', 'clock');
export const QUOTA_SCRIPT = scriptOf('quota', 'clock', 'window');
export const RENEW_SCRIPT = scriptOf('renew-slots', 'clock');
