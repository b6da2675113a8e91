import { outputTokensOf, type Usage } from '@tollgate/core';

/** Token counts as messages clients read them: the three prompt classes are disjoint and add up to the prompt. */
export function encodeUsage(usage: Usage) {
  return {
    input_tokens: usage.uncachedPromptTokens,
    cache_creation_input_tokens: usage.cacheCreationTokens,
    cache_read_input_tokens: usage.cachedPromptTokens,
    output_tokens: outputTokensOf(usage),
  };
}
