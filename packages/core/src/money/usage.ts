import { NO_TOKENS, type TokenCount, tokenCount } from '../primitives/primitives.js';

/** Where the counts come from: the upstream's report, our own count, or the last checkpoint of a request whose owner has died. */
export type UsageSource = 'reported' | 'counted' | 'checkpoint';

/** Model tokens of one request by disjoint class: their sum is the total, so nothing is counted twice. */
export interface Usage {
  readonly uncachedPromptTokens: TokenCount;
  readonly cachedPromptTokens: TokenCount;
  readonly cacheCreationTokens: TokenCount;
  readonly reasoningTokens: TokenCount;
  readonly visibleOutputTokens: TokenCount;
  readonly source: UsageSource;
  /** The model's thinking came and was kept from the client. */
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

/** The same usage with no more output than a maximum; visible output is cut first. */
export function clipOutput(usage: Usage, maxOutputTokens: TokenCount): Usage {
  if (outputTokensOf(usage) <= maxOutputTokens) return usage;
  const reasoningTokens = Math.min(usage.reasoningTokens, maxOutputTokens);
  return { ...usage, reasoningTokens: tokenCount(reasoningTokens), visibleOutputTokens: tokenCount(maxOutputTokens - reasoningTokens) };
}

export function totalTokensOf(usage: Usage): TokenCount {
  return tokenCount(promptTokensOf(usage) + outputTokensOf(usage));
}
