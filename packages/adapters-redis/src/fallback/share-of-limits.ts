import { type BindingLimits, type IncidentLimit, type PlanLimits, type TokenCount, invariant } from '@tollgate/core';

/**
 * One process's share of limits that `instances` processes would otherwise count together; at least 1 of each, so that nobody is shut out.
 * Caps of days and months stay whole: each process reads them from the source of truth, where all the processes' use adds up.
 */
export function shareOfLimits({ limits, incident }: BindingLimits, instances: number): BindingLimits {
  invariant(instances >= 1, 'the process that asks is alive');
  return { limits: { ...limits, ...sharesOf(limits, instances) }, incident: incident === null ? null : shareOfIncident(incident, instances) };
}

type Shared = Pick<PlanLimits, 'requestsPerMinute' | 'tokensPerMinute' | 'concurrentRequests'>;

function sharesOf({ requestsPerMinute, tokensPerMinute, concurrentRequests }: Shared, instances: number): Shared {
  return {
    requestsPerMinute: shareOf(requestsPerMinute, instances),
    tokensPerMinute: shareOf(tokensPerMinute, instances) as TokenCount,
    concurrentRequests: shareOf(concurrentRequests, instances),
  };
}

function shareOfIncident(incident: IncidentLimit, instances: number): IncidentLimit {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests } = incident;
  return {
    ...incident,
    requestsPerMinute: requestsPerMinute === null ? null : shareOf(requestsPerMinute, instances),
    tokensPerMinute: tokensPerMinute === null ? null : shareOf(tokensPerMinute, instances) as TokenCount,
    concurrentRequests: concurrentRequests === null ? null : shareOf(concurrentRequests, instances),
  };
}

/** A limit of 0 stays 0: it is an operator's way to close a model. */
function shareOf(limit: number, instances: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / instances));
}
