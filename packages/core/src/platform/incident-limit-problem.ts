import type { Instant } from '../time/instant.js';
import type { IncidentLimit } from './platform-snapshot.js';

/** Why an incident limit cannot be set so; `null` when it can. */
export function incidentLimitProblem(limit: IncidentLimit, now: Instant): 'limits-nothing' | 'expiry-in-the-past' | null {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests, expiresAt } = limit;
  if (requestsPerMinute === null && tokensPerMinute === null && concurrentRequests === null) return 'limits-nothing';
  return expiresAt !== null && expiresAt <= now ? 'expiry-in-the-past' : null;
}
