import type { PlanLimits } from '@tollgate/core';

/** The limits of a plan by their public names; null where there is none. */
export function encodePlanLimits(limits: PlanLimits) {
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent_requests: limits.concurrentRequests,
    max_context_tokens: limits.maxContextTokens,
    api_keys: limits.activeKeys,
    tokens_per_day: limits.tokensPerDay,
    tokens_per_month: limits.tokensPerMonth,
  };
}
