import { type Instant, instant } from '@tollgate/core';
import type { ColumnType, Generated } from 'kysely';

/** A 64-bit whole number: read as `bigint` in every dialect, since 2^53 is too small for micro-tokens. */
export type Whole = ColumnType<bigint, bigint | number, bigint | number>;
export type NullableWhole = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;
/** Left out, it is `null`. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
/** Numbered by the database in the order of writing. */
export type Sequence = Generated<bigint>;

/** Booleans are stored as 0 and 1, which every database compares and indexes alike. */
export function flagToColumn(flag: boolean): number {
  return flag ? 1 : 0;
}

export function flagFromColumn(column: bigint | number): boolean {
  return Number(column) !== 0;
}

export function instantFromColumn(column: bigint | number): Instant {
  return instant(Number(column));
}

export function instantOrNull(column: bigint | number | null): Instant | null {
  return column === null ? null : instantFromColumn(column);
}

/** The largest amount a column holds, in micro-tokens: far below 2^63, so that no sum of two can overflow. */
export const MAXIMUM_UNITS = 1_000_000_000_000_000_000n;

/** The amount itself, or the largest that can be stored. */
export function storableUnits(units: bigint): bigint {
  return units > MAXIMUM_UNITS ? MAXIMUM_UNITS : units;
}

/** With the `u` flag this matches lone surrogates only, never the two halves of a pair. */
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Nearly no name has any of these; halves of a pair are among them. */
const MAY_BE_UNSTORABLE = /[\0\ud800-\udfff]/;

/** The text with U+0000 and lone surrogates replaced: what every database accepts and reads back unchanged. */
export function storableText(text: string): string {
  if (!MAY_BE_UNSTORABLE.test(text)) return text;
  return text.replace(EVERY_UNSTORABLE, '\u{FFFD}');
}

export function storableTextOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
