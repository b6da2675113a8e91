import type { UsageBucket } from '@tollgate/core';

/** The totals of one group of requests. Counts are numbers, amounts strings. */
export function encodeUsageBucket(bucket: UsageBucket) {
  return {
    group: bucket.group,
    requests: bucket.requests,
    prompt_tokens: bucket.uncachedPromptTokens + bucket.cachedPromptTokens + bucket.cacheCreationTokens,
    uncached_prompt_tokens: bucket.uncachedPromptTokens,
    cached_prompt_tokens: bucket.cachedPromptTokens,
    cache_creation_tokens: bucket.cacheCreationTokens,
    output_tokens: bucket.outputTokens,
    reasoning_tokens: bucket.reasoningTokens,
    svc_tokens_debited: bucket.charged.toString(),
    svc_cost_usd: bucket.chargedUsd,
  };
}
