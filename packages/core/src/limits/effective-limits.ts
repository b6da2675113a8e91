import type { TokenCount } from '../ids.js';
import type { IncidentLimit } from '../platform/platform-snapshot.js';
import type { PlanLimits } from '../plans/plan.js';
import type { Instant } from '../time/instant.js';

/** The lower of a plan's limits and those in force for a model during an incident. */
export function effectiveLimits(plan: PlanLimits, incident: IncidentLimit | null, now: Instant): PlanLimits {
  if (incident === null || (incident.expiresAt !== null && incident.expiresAt <= now)) return plan;
  return {
    ...plan,
    requestsPerMinute: Math.min(plan.requestsPerMinute, incident.requestsPerMinute ?? Infinity),
    tokensPerMinute: Math.min(plan.tokensPerMinute, incident.tokensPerMinute ?? Infinity) as TokenCount,
    concurrentRequests: Math.min(plan.concurrentRequests, incident.concurrentRequests ?? Infinity),
  };
}
