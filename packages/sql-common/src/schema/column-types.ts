import type { ColumnType, Generated } from 'kysely';

/** A 64-bit integer. It is read as `bigint`, because micro-tokens exceed 2^53. */
export type Whole = ColumnType<bigint, bigint | number, bigint | number>;
export type NullableWhole = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;
/** If omitted, the column is `null`. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
/** If omitted, the column has its default. */
export type WholeOrDefault = ColumnType<bigint, bigint | number | undefined, bigint | number>;
export type TextOrDefault = ColumnType<string, string | undefined, string>;
/** A number that the database assigns, ascending in the order of writing. */
export type Sequence = Generated<bigint>;
