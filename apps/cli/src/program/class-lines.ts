import { type ChargeLine, costOfMillion, type TokenRate } from '@tollgate/core';
import { type ReportPart, table } from './report.js';

/** What each class of tokens costs, with its price per million in service tokens and US dollars. */
export function classLines(lines: readonly ChargeLine[], usdPerServiceToken: TokenRate): readonly ReportPart[] {
  return table(['CLASS', 'TOKENS', 'PER MILLION', 'USD PER MILLION', 'AMOUNT'], lines.map(({ tokenClass, count, rate, amount }) => {
    const { svcTokens, usd } = costOfMillion(rate, usdPerServiceToken);
    return [tokenClass, count, svcTokens, usd, amount];
  }));
}
