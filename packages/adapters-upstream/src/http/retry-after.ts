import { type Instant, MILLISECONDS_PER_SECOND } from '@tollgate/core';

/** Maximum wait that is passed on to clients, because they sleep for all of it. */
const MAX_SECONDS = 300;
const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;
/** The current HTTP date format, and two obsolete ones. */
const DATE = /^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

function secondsUntil(date: string, now: Instant): number {
  const at = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return (at - now) / MILLISECONDS_PER_SECOND;
}

/** Reads seconds or a date as whole seconds from 1 to 300; `null` for any other text. */
export function readRetryAfter(header: string, now: Instant): number | null {
  const text = header.trim();
  if (!SECONDS.test(text) && !DATE.test(text)) return null;
  const seconds = SECONDS.test(text) ? Number(text) : secondsUntil(text, now);
  return Number.isNaN(seconds) ? null : Math.min(MAX_SECONDS, Math.max(1, Math.ceil(seconds)));
}
