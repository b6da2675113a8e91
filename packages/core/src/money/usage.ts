import { NO_TOKENS, type TokenCount, tokenCount } from '../primitives/token-count.js';
import { type CountField, OUTPUT_COUNTS, type OutputCounts, perCount, PROMPT_COUNTS, type PromptCounts, TOKEN_COUNTS, type TOKEN_CLASSES } from './token-classes.js';

/** The upstream's report, the gateway's count, or the last checkpoint of a swept request. */
export type UsageSource = 'reported' | 'counted' | 'checkpoint';

/** Disjoint counts that add up to the total. */
export interface Usage extends Readonly<Record<CountField, TokenCount>> {
  readonly source: UsageSource;
  /** True if the gateway received reasoning and withheld it from the client; false for reasoning that the upstream itself withheld. */
  readonly reasoningWithheld: boolean;
}

export const NO_USAGE: Usage = { ...perCount(() => NO_TOKENS), source: 'counted', reasoningWithheld: false };

function sumOf<Field extends CountField>(usage: Readonly<Record<Field, number>>, counts: readonly { readonly field: Field }[]): TokenCount {
  let total = 0;
  for (const { field } of counts) total += usage[field];
  return tokenCount(total);
}

export function promptTokensOf(usage: PromptCounts): TokenCount {
  return sumOf(usage, PROMPT_COUNTS);
}

export function outputTokensOf(usage: OutputCounts): TokenCount {
  return sumOf(usage, OUTPUT_COUNTS);
}

/** Tokens that are charged at the rate of the class. */
export function tokensOfClass(usage: Usage, { counts }: Pick<(typeof TOKEN_CLASSES)[number], 'counts'>): TokenCount {
  return sumOf(usage, counts);
}

/** Removes visible output first. */
export function clipOutput(usage: Usage, maxOutputTokens: TokenCount): Usage {
  if (outputTokensOf(usage) <= maxOutputTokens) return usage;
  const reasoningTokens = Math.min(usage.reasoningTokens, maxOutputTokens);
  return { ...usage, reasoningTokens: tokenCount(reasoningTokens), visibleOutputTokens: tokenCount(maxOutputTokens - reasoningTokens) };
}

export function totalTokensOf(usage: Usage): TokenCount {
  return sumOf(usage, TOKEN_COUNTS);
}
