import type { IncidentLimit } from '@tollgate/core';
import { timeOrNull } from './time-or-null.js';

/** The limit of one model by its public names; null where there is none. */
export function encodeIncidentLimit(limit: IncidentLimit) {
  return {
    model: limit.model,
    requests_per_minute: limit.requestsPerMinute,
    tokens_per_minute: limit.tokensPerMinute,
    concurrent_requests: limit.concurrentRequests,
    expires_at: timeOrNull(limit.expiresAt),
  };
}
