import { type RawBuilder, sql } from 'kysely';

/** Comparisons instead of a list, because SQLite builds a temporary table for a list of three or more values whenever it checks a row. */
export function isOneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  return sql.join(values.map((value) => sql`${sql.raw(column)} = ${sql.lit(value)}`), sql` or `);
}
