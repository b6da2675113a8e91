import type { Compilable, RawBuilder } from 'kysely';
import type { Queries } from './queries.js';

/** A hand-written query in the form that scripts take. */
export function compilable<Row>(queries: Queries, query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(queries) };
}
