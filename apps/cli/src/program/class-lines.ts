import { type ChargeLine, costOfMillion, type Price, TOKEN_CLASSES, type TokenClass, type TokenRate } from '@tollgate/core';
import { type ReportPart, table } from './report.js';

/** Names of token classes, the same as in the dashboard. */
const WORDS: Readonly<Record<TokenClass, string>> = {
  uncached_prompt: 'input', cached_prompt: 'input, from cache', cache_creation: 'input, written to cache', output: 'output',
};

/** Headings for token counts and for prices alike. */
export const CLASS_HEADINGS: Readonly<Record<TokenClass, string>> = {
  uncached_prompt: 'INPUT', cached_prompt: 'FROM CACHE', cache_creation: 'TO CACHE', output: 'OUTPUT',
};

interface PriceColumns {
  readonly headings: readonly string[];
  readonly cellsOf: (price: Price) => readonly string[];
}

/**
 * Columns of prices per million tokens, in service tokens and then in US dollars: input, output, and each class whose rate differs from that of input
 * in at least one price.
 */
export function priceColumns(prices: readonly Price[], usdPerServiceToken: TokenRate): PriceColumns {
  const shown = TOKEN_CLASSES.filter(({ rate: { field } }) => field === 'promptToken' || field === 'outputToken' || prices.some((price) => price[field] !== price.promptToken));
  const headings = shown.map(({ name }) => CLASS_HEADINGS[name]);
  return {
    headings: [...headings, ...headings.map((heading) => `USD ${heading}`)],
    cellsOf: (price) => {
      const costs = shown.map(({ rate }) => costOfMillion(price[rate.field], usdPerServiceToken));
      return [...costs.map(({ svcTokens }) => svcTokens), ...costs.map(({ usd }) => usd)];
    },
  };
}

/** What each class of tokens costs, with its price per million in service tokens and US dollars. */
export function classLines(lines: readonly ChargeLine[], usdPerServiceToken: TokenRate): readonly ReportPart[] {
  return table(['CLASS', 'TOKENS', 'PER MILLION', 'USD PER MILLION', 'AMOUNT'], lines.map(({ tokenClass, count, rate, amount }) => {
    const { svcTokens, usd } = costOfMillion(rate, usdPerServiceToken);
    return [WORDS[tokenClass], count, svcTokens, usd, amount];
  }));
}
