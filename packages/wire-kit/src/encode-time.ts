import { type Instant, rfc3339 } from '@tollgate/core';

/** RFC 3339 in UTC. */
export function timeOrNull(at: Instant | null): string | null {
  return at === null ? null : rfc3339(at);
}
