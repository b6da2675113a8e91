import { type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, rfc3339 } from '@tollgate/core';

/** Characters of `2026-11-21T10:00` in RFC 3339. */
const TO_THE_MINUTE = 16;

function spanText(milliseconds: number): string {
  if (milliseconds < MILLISECONDS_PER_MINUTE) return `${Math.floor(milliseconds / MILLISECONDS_PER_SECOND)} s`;
  if (milliseconds < MILLISECONDS_PER_HOUR) return `${Math.floor(milliseconds / MILLISECONDS_PER_MINUTE)} min`;
  if (milliseconds < MILLISECONDS_PER_DAY) return `${Math.floor(milliseconds / MILLISECONDS_PER_HOUR)} h`;
  const days = Math.floor(milliseconds / MILLISECONDS_PER_DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** `2 min ago`, `in 3 h`. */
function distanceText(at: Instant, now: Instant): string {
  if (at > now) return `in ${spanText(at - now)}`;
  return now - at < MILLISECONDS_PER_SECOND ? 'just now' : `${spanText(now - at)} ago`;
}

/** For a cell of a table: `2 min ago` or `in 3 h` within a day of now, `2026-11-21 10:00` in UTC otherwise. */
export function shortTime(at: Instant, now: Instant): string {
  return Math.abs(at - now) < MILLISECONDS_PER_DAY ? distanceText(at, now) : rfc3339(at).slice(0, TO_THE_MINUTE).replace('T', ' ');
}

/** `2026-11-21T10:00:00.000Z (2 min ago)`. */
export function fullTime(at: Instant, now: Instant): string {
  return `${rfc3339(at)} (${distanceText(at, now)})`;
}
