import { NO_TOKENS, type TokenCount, tokenCount } from '../primitives/primitives.js';

/** The upstream's report, the gateway's count, or the last checkpoint of a dead process. */
export type UsageSource = 'reported' | 'counted' | 'checkpoint';

/** Model tokens by disjoint class; the classes add up to the total. */
export interface Usage {
  readonly uncachedPromptTokens: TokenCount;
  readonly cachedPromptTokens: TokenCount;
  readonly cacheCreationTokens: TokenCount;
  readonly reasoningTokens: TokenCount;
  readonly visibleOutputTokens: TokenCount;
  readonly source: UsageSource;
  /** True if the model's reasoning was not sent to the client. */
  readonly reasoningWithheld: boolean;
}

export const NO_USAGE: Usage = {
  uncachedPromptTokens: NO_TOKENS,
  cachedPromptTokens: NO_TOKENS,
  cacheCreationTokens: NO_TOKENS,
  reasoningTokens: NO_TOKENS,
  visibleOutputTokens: NO_TOKENS,
  source: 'counted',
  reasoningWithheld: false,
};

export function promptTokensOf(usage: Usage): TokenCount {
  return tokenCount(usage.uncachedPromptTokens + usage.cachedPromptTokens + usage.cacheCreationTokens);
}

export function outputTokensOf(usage: Usage): TokenCount {
  return tokenCount(usage.reasoningTokens + usage.visibleOutputTokens);
}

/** Clips the output to a maximum, visible output first. */
export function clipOutput(usage: Usage, maxOutputTokens: TokenCount): Usage {
  if (outputTokensOf(usage) <= maxOutputTokens) return usage;
  const reasoningTokens = Math.min(usage.reasoningTokens, maxOutputTokens);
  return { ...usage, reasoningTokens: tokenCount(reasoningTokens), visibleOutputTokens: tokenCount(maxOutputTokens - reasoningTokens) };
}

export function totalTokensOf(usage: Usage): TokenCount {
  return tokenCount(promptTokensOf(usage) + outputTokensOf(usage));
}
