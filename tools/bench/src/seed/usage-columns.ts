import { type CountName, type RateName, TOKEN_COUNTS, TOKEN_RATES } from '@tollgate/core';
import { countColumn, rateColumn } from '@tollgate/sql-common';

export const TOKEN_COLUMNS: readonly string[] = TOKEN_COUNTS.map(countColumn);

/** Names of the columns of a usage record for token counts and rates, separated by commas. */
export const USAGE_COLUMNS = [...TOKEN_COLUMNS, ...TOKEN_RATES.map(rateColumn)].join(', ');

const PRICES: Partial<Record<RateName, string>> = { cached_prompt: '0.0000004', output: '0.000012' };

/** SQL for the values of `USAGE_COLUMNS`; omitted counts are 0. */
export function usageValues(counts: Partial<Record<CountName, string>>): string {
  return [...TOKEN_COUNTS.map(({ name }) => counts[name] ?? '0'), ...TOKEN_RATES.map(({ name }) => `'${PRICES[name] ?? '0.000004'}'`)].join(', ');
}
