import { type ChargeLine, costOfMillion, type TokenClass, type TokenRate } from '@tollgate/core';
import { type ReportPart, table } from './report.js';

/** Names of token classes, the same as in the dashboard. */
const WORDS: Readonly<Record<TokenClass, string>> = {
  uncached_prompt: 'input', cached_prompt: 'input, from cache', cache_creation: 'input, written to cache', output: 'output',
};

/** What each class of tokens costs, with its price per million in service tokens and US dollars. */
export function classLines(lines: readonly ChargeLine[], usdPerServiceToken: TokenRate): readonly ReportPart[] {
  return table(['CLASS', 'TOKENS', 'PER MILLION', 'USD PER MILLION', 'AMOUNT'], lines.map(({ tokenClass, count, rate, amount }) => {
    const { svcTokens, usd } = costOfMillion(rate, usdPerServiceToken);
    return [WORDS[tokenClass], count, svcTokens, usd, amount];
  }));
}
