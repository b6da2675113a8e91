import { countSumsOf, type GroupSums, ServiceTokens, type TokenRate, UsdAmount, type UsageSums } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { COUNT_COLUMNS, type CountColumn, countsFromRow } from '../schema/token-columns.js';

export type Fragment = RawBuilder<unknown>;

/** Summed columns, in the order of the tables of daily sums. */
export const SUMMED: readonly ('requests' | CountColumn | 'charge')[] = ['requests', ...COUNT_COLUMNS, 'charge'];

export const ADDED = sql.join(SUMMED.map((column) => sql.ref(column)));
const TAKEN_AWAY = sql.join(SUMMED.map((column) => sql`-${sql.ref(column)}`));
/** The cast is for PostgreSQL, whose sum of 64-bit numbers has a wider type. */
export const SUMS = sql.join(SUMMED.map((column) => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.id(column)}`));

/** Sums of requests at one currency rate. */
export interface RatedSumsRow extends Readonly<Record<(typeof SUMMED)[number], bigint>> {
  readonly usd_rate: string;
}

export function sumsFromRow(row: RatedSumsRow): UsageSums {
  const charged = ServiceTokens.fromUnits(row.charge);
  return {
    requests: Number(row.requests),
    ...countSumsOf(countsFromRow(row)),
    charged,
    chargedUsd: UsdAmount.worthOf(charged, row.usd_rate as TokenRate),
  };
}

/** An empty text stands for no model, key or user. */
export function groupFromColumn(group: string): GroupSums['group'] {
  return group === '' ? null : group;
}

/** Query for rows of daily sums, with their group and their sums. */
export type Portion = (rollUp: 'usage_daily' | 'usage_daily_users', group: Fragment, sums?: Fragment) => Fragment;

export const NO_GROUP = sql`''`;

/** Sums by user. Requests without a user are only in the daily sums, so their sums are the daily sums less the sums of all users. */
export function portionsByUser(portion: Portion): Fragment {
  return sql`${portion('usage_daily_users', sql.ref('attribution'))}
    union all ${portion('usage_daily', NO_GROUP)}
    union all ${portion('usage_daily_users', NO_GROUP, TAKEN_AWAY)}`;
}
