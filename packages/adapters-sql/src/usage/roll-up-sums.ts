import { type GroupSums, ServiceTokens, type TokenRate, UsdAmount, type UsageSums } from '@tollgate/core';
import { sql } from 'kysely';

/** What roll-ups sum up, in the order of their columns. */
export const SUMMED = [
  'requests', 'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens', 'charge',
] as const;

export const ADDED = sql.join(SUMMED.map((column) => sql.ref(column)));
export const TAKEN_AWAY = sql.join(SUMMED.map((column) => sql`-${sql.ref(column)}`));
/** Cast since some databases widen the sum of 64-bit numbers to a type of their own. */
export const SUMS = sql.join(SUMMED.map((column) => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.id(column)}`));

/** Sums of requests that were charged at one rate. */
export interface RatedSumsRow extends Readonly<Record<(typeof SUMMED)[number], bigint>> {
  readonly usd_rate: string;
}

export function sumsOfRow(row: RatedSumsRow): UsageSums {
  const charged = ServiceTokens.fromUnits(row.charge);
  return {
    requests: Number(row.requests),
    uncachedPromptTokens: Number(row.uncached_prompt_tokens),
    cachedPromptTokens: Number(row.cached_prompt_tokens),
    cacheCreationTokens: Number(row.cache_creation_tokens),
    outputTokens: Number(row.reasoning_tokens + row.visible_output_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    charged,
    chargedUsd: UsdAmount.worthOf(charged, row.usd_rate as TokenRate),
  };
}

/** The empty text stands for no model, key or user. */
export function groupOfColumn(group: string): GroupSums['group'] {
  return group === '' ? null : group;
}
