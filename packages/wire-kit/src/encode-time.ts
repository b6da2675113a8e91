import { type Instant, rfc3339 } from '@tollgate/core';

/** An instant as RFC 3339 text in UTC; null stays null. */
export function timeOrNull(at: Instant | null): string | null {
  return at === null ? null : rfc3339(at);
}
