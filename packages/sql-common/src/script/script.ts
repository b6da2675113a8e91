import type { UsageScope } from '@tollgate/core';
import {
  type Compilable, type CompiledQuery, type Dialect, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler,
  type RawBuilder, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseSchema } from '../schema/database-schema.js';

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

/** Runs scripts that need no transaction: each query takes effect by itself, and no cache depends on it. */
export interface StepRunner {
  /** The script may be run again from its start after an answer was lost, so it must come to the same again. */
  steps<T>(script: () => Script<T>): Promise<T>;
}

/** Runs scripts against one database. A script is given as a function since it may have to be run again. */
export interface ScriptRunner {
  /** All queries see one state of the database. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** As `read`, for scripts that take more than milliseconds, a few at a time and account by account: requests of this process go on meanwhile. */
  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T>;
  /** One serializable transaction, in force once the promise resolves. */
  write<T>(script: () => Script<T>): Promise<T>;
  /** As `read`, for scripts that run long: other work of this process goes on between the queries. */
  readInBackground<T>(script: () => Script<T>): Promise<T>;
}

/** Builds queries and runs none: the runner of a script chooses the connection. */
export type Queries = Kysely<DatabaseSchema>;

function queriesOf(dialect: Omit<Dialect, 'createDriver'>): Queries {
  return new Kysely<DatabaseSchema>({ dialect: { ...dialect, createDriver: () => new DummyDriver() } });
}

export function sqliteQueries(): Queries {
  return queriesOf({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}

export function postgresQueries(): Queries {
  return queriesOf({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
}

/** A hand-written query in the form that scripts take. */
export function compilable<Row>(queries: Queries, query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(queries) };
}
