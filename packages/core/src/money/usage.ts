import { NO_TOKENS, type TokenCount, tokenCount } from '../primitives/token-count.js';
import { type CountField, OUTPUT_COUNTS, type OutputCounts, perCount, PROMPT_COUNTS, type PromptCounts, type TOKEN_CLASSES } from './token-classes.js';

/** The upstream's report, the gateway's count, or a dead process's last checkpoint. */
export type UsageSource = 'reported' | 'counted' | 'checkpoint';

/** Disjoint counts that add up to the total. */
export interface Usage extends Readonly<Record<CountField, TokenCount>> {
  readonly source: UsageSource;
  /** Reasoning was not sent to the client. */
  readonly reasoningWithheld: boolean;
}

export const NO_USAGE: Usage = { ...perCount(() => NO_TOKENS), source: 'counted', reasoningWithheld: false };

export function promptTokensOf(usage: PromptCounts): TokenCount {
  return tokenCount(PROMPT_COUNTS.reduce((total, { field }) => total + usage[field], 0));
}

export function outputTokensOf(usage: OutputCounts): TokenCount {
  return tokenCount(OUTPUT_COUNTS.reduce((total, { field }) => total + usage[field], 0));
}

/** Charged at the rate of the class. */
export function tokensOfClass(usage: Usage, { counts }: Pick<(typeof TOKEN_CLASSES)[number], 'counts'>): TokenCount {
  return tokenCount(counts.reduce((total, { field }) => total + usage[field], 0));
}

/** Removes visible output first. */
export function clipOutput(usage: Usage, maxOutputTokens: TokenCount): Usage {
  if (outputTokensOf(usage) <= maxOutputTokens) return usage;
  const reasoningTokens = Math.min(usage.reasoningTokens, maxOutputTokens);
  return { ...usage, reasoningTokens: tokenCount(reasoningTokens), visibleOutputTokens: tokenCount(maxOutputTokens - reasoningTokens) };
}

export function totalTokensOf(usage: Usage): TokenCount {
  return tokenCount(promptTokensOf(usage) + outputTokensOf(usage));
}
