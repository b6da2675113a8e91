import { type Instant, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** Longer waits are not passed on: clients sleep all of them. */
const MAX_SECONDS = 300;
const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;
/** The three forms of a date in HTTP: the one that is written, and two that are to be understood. */
const DATE = /^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

function secondsUntil(date: string, now: Instant): number {
  const at = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return (at - now) / MILLISECONDS_PER_SECOND;
}

/** Whole seconds from 1 to 300 that a `retry-after` header asks to wait, whether in seconds or as a date; `null` for any other text. */
export function readRetryAfter(header: string, now: Instant): number | null {
  const text = header.trim();
  if (!SECONDS.test(text) && !DATE.test(text)) return null;
  const seconds = SECONDS.test(text) ? Number(text) : secondsUntil(text, now);
  return Number.isNaN(seconds) ? null : Math.min(MAX_SECONDS, Math.max(1, Math.ceil(seconds)));
}
