import { outputTokensOf, promptTokensOf, type Usage } from '@tollgate/core';

/**
 * Token counts as messages clients read them: `input_tokens` and `cache_read_input_tokens` add up to the prompt.
 * Tokens that an upstream wrote into its cache are input tokens here; the usage record keeps them apart.
 */
export function encodeUsage(usage: Usage) {
  return {
    input_tokens: promptTokensOf(usage) - usage.cachedPromptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedPromptTokens,
    output_tokens: outputTokensOf(usage),
  };
}
