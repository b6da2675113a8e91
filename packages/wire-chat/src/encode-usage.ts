import { outputTokensOf, promptTokensOf, totalTokensOf, type Usage } from '@tollgate/core';

/** Token counts as chat clients read them: totals, with the cached and the reasoning part named beside them. */
export function encodeUsage(usage: Usage) {
  const promptTokens = promptTokensOf(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokensOf(usage),
    total_tokens: totalTokensOf(usage),
    prompt_tokens_details: { cached_tokens: usage.cachedPromptTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    prompt_cache_hit_tokens: usage.cachedPromptTokens,
    prompt_cache_miss_tokens: promptTokens - usage.cachedPromptTokens,
  };
}
