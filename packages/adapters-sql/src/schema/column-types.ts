import type { ColumnType, Generated } from 'kysely';

/** A 64-bit whole number: read as `bigint` in every dialect, since 2^53 is too small for micro-tokens. */
export type Whole = ColumnType<bigint, bigint | number, bigint | number>;
export type NullableWhole = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;
/** Left out, it is `null`. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
/** Numbered by the database in the order of writing. */
export type Sequence = Generated<bigint>;
