import type { Brand } from '../ids.js';

/** A point in time: whole Unix milliseconds. */
export type Instant = Brand<number, 'Instant'>;

export const MILLISECONDS_PER_SECOND = 1000;
export const MILLISECONDS_PER_MINUTE = 60_000;
export const MILLISECONDS_PER_HOUR = 3_600_000;
export const MILLISECONDS_PER_DAY = 86_400_000;

export function instant(unixMilliseconds: number): Instant {
  return Math.floor(unixMilliseconds) as Instant;
}

export function later(at: Instant, milliseconds: number): Instant {
  return (at + milliseconds) as Instant;
}

/** Whole seconds since 1970, as wire fields named `created` show it. */
export function unixSeconds(at: Instant): number {
  return Math.floor(at / MILLISECONDS_PER_SECOND);
}

/** Whole seconds from `now` until `then`, rounded up and never below 1, as `retry-after` needs it. */
export function secondsUntil(then: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((then - now) / MILLISECONDS_PER_SECOND));
}
