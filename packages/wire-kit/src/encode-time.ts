import { type Instant, rfc3339 } from '@tollgate/core';

/** The time in RFC 3339 and UTC; `null` for `null`. */
export function timeOrNull(at: Instant | null): string | null {
  return at === null ? null : rfc3339(at);
}
