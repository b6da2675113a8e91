import { type CountField, type CountName, perCount, type RateName, TOKEN_COUNTS, TOKEN_RATES } from '@tollgate/core';
import { sql } from 'kysely';
import type { Whole } from './column-types.js';

export type CountColumn = `${CountName}_tokens`;
export type RateColumn = `price_${RateName}`;

export interface CountColumns extends Record<CountColumn, Whole> {}
/** Rates are `null` if no model served the request. */
export interface RateColumns extends Record<RateColumn, string | null> {}

export function countColumn({ name }: { readonly name: CountName }): CountColumn {
  return `${name}_tokens`;
}

export function rateColumn({ name }: { readonly name: RateName }): RateColumn {
  return `price_${name}`;
}

export const COUNT_COLUMNS: readonly CountColumn[] = TOKEN_COUNTS.map(countColumn);
export const RATE_COLUMNS: readonly RateColumn[] = TOKEN_RATES.map(rateColumn);

export function countsFromRow(row: Readonly<Record<CountColumn, bigint | number>>): Readonly<Record<CountField, number>> {
  return perCount((count) => Number(row[countColumn(count)]));
}

export function perColumn<Column extends string, Value>(columns: readonly Column[], valueOf: (column: Column) => Value): Readonly<Record<Column, Value>> {
  return Object.fromEntries(columns.map((column) => [column, valueOf(column)])) as Record<Column, Value>;
}

export function allTokens(alias?: string) {
  return sql.join(COUNT_COLUMNS.map((column) => sql.ref(alias === undefined ? column : `${alias}.${column}`)), sql` + `);
}

/** Price list and version that contain the rates; both `null` for a price from outside the catalogue, or if no model served the request. */
export interface PriceVersionColumns {
  price_list: string | null;
  price_version: string | null;
}
