import { type PlanLimits, type TokenCount, invariant } from '@tollgate/core';

/**
 * One process's share of limits that `instances` processes would otherwise count together; at least 1 of each, so that nobody is shut out.
 * Caps of days and months stay whole: each process reads them from the source of truth, where all the processes' use adds up.
 */
export function shareOfLimits(limits: PlanLimits, instances: number): PlanLimits {
  invariant(instances >= 1, 'the process that asks is alive');
  return {
    ...limits,
    requestsPerMinute: shareOf(limits.requestsPerMinute, instances),
    tokensPerMinute: shareOf(limits.tokensPerMinute, instances) as TokenCount,
    concurrentRequests: shareOf(limits.concurrentRequests, instances),
  };
}

/** A limit of 0 stays 0: it is an operator's way to close a model. */
function shareOf(limit: number, instances: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / instances));
}
