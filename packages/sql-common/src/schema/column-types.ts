import type { ColumnType, Generated } from 'kysely';

/** A 64-bit integer; read as `bigint`, since micro-tokens exceed 2^53. */
export type Whole = ColumnType<bigint, bigint | number, bigint | number>;
export type NullableWhole = ColumnType<bigint | null, bigint | number | null, bigint | number | null>;
/** Default: `null`. */
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
/** Default: that of the column. */
export type WholeOrDefault = ColumnType<bigint, bigint | number | undefined, bigint | number>;
export type TextOrDefault = ColumnType<string, string | undefined, string>;
/** A number that the database assigns in the order of writing. */
export type Sequence = Generated<bigint>;
