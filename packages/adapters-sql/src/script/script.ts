import type { Compilable, CompiledQuery } from 'kysely';

/** What a database answers to one query. */
export interface QueryAnswer {
  readonly rows: readonly unknown[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
}

/**
 * A transaction written once for every database: a generator that yields queries and is sent their answers.
 * SQLite runs it in one go, inside a group commit; a database behind a socket would await between its steps.
 */
export type Script<T> = Generator<CompiledQuery, T, QueryAnswer>;

export function* rowsOf<Row>(query: Compilable<Row>): Script<readonly Row[]> {
  const { rows } = yield query.compile();
  // The query builder has derived the row type from the schema, which the answer itself no longer knows.
  return rows as readonly Row[];
}

export function* firstOf<Row>(query: Compilable<Row>): Script<Row | null> {
  const [first] = yield* rowsOf(query);
  return first ?? null;
}

export function* changesOf(query: Compilable): Script<number> {
  const { changes } = yield query.compile();
  return changes;
}
