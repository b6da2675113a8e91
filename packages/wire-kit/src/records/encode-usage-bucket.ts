import type { UsageBucket, UsageSums } from '@tollgate/core';

type EncodableSums = Omit<UsageSums, 'chargedUsd'> & { readonly chargedUsd: UsageBucket['chargedUsd'] | UsageSums['chargedUsd'] };

/** Totals of some requests. Counts are numbers, amounts strings. */
export function encodeUsageSums(sums: EncodableSums) {
  return {
    requests: sums.requests,
    prompt_tokens: sums.uncachedPromptTokens + sums.cachedPromptTokens + sums.cacheCreationTokens,
    uncached_prompt_tokens: sums.uncachedPromptTokens,
    cached_prompt_tokens: sums.cachedPromptTokens,
    cache_creation_tokens: sums.cacheCreationTokens,
    output_tokens: sums.outputTokens,
    reasoning_tokens: sums.reasoningTokens,
    svc_tokens_debited: sums.charged.toString(),
    svc_cost_usd: sums.chargedUsd.toString(),
  };
}

/** The totals of one group of requests. */
export function encodeUsageBucket({ group, ...sums }: UsageBucket) {
  return { group, ...encodeUsageSums(sums) };
}
