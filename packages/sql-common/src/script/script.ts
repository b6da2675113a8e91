import type { Booked, UsageScope } from '@tollgate/core';
import {
  type Compilable, type CompiledQuery, type Dialect, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler,
  type RawBuilder, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseSchema } from '../schema/database-schema.js';

export interface QueryAnswer {
  readonly rows: readonly unknown[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
}

/** A changed balance, announced after the commit. */
export interface Announcement {
  readonly booked: Booked;
}

/**
 * A transaction for every database: a generator that yields queries and receives their answers. SQLite runs it synchronously in a group
 * commit; PostgreSQL awaits each answer.
 */
export type Script<T> = Generator<CompiledQuery | Announcement, T, QueryAnswer>;

export interface ScriptOutcome<T> {
  readonly result: T;
  /** Announced after the commit. */
  readonly booked: readonly Booked[];
}

/** For the first step and announcements; never read. */
const NO_ANSWER: QueryAnswer = { rows: [], changes: 0 };
const NOTHING_BOOKED: readonly Booked[] = [];

export function runScript<T>(script: Script<T>, answerTo: (query: CompiledQuery) => QueryAnswer): ScriptOutcome<T> {
  let booked = NOTHING_BOOKED;
  let step = script.next(NO_ANSWER);
  while (step.done !== true) {
    if ('booked' in step.value) booked = [...booked, step.value.booked];
    step = script.next('booked' in step.value ? NO_ANSWER : answerTo(step.value));
  }
  return { result: step.value, booked };
}

/** Like `runScript`, for a database that answers asynchronously. */
export async function awaitScript<T>(script: Script<T>, answerTo: (query: CompiledQuery) => Promise<QueryAnswer>): Promise<ScriptOutcome<T>> {
  let booked = NOTHING_BOOKED;
  let step = script.next(NO_ANSWER);
  while (step.done !== true) {
    if ('booked' in step.value) booked = [...booked, step.value.booked];
    step = script.next('booked' in step.value ? NO_ANSWER : await answerTo(step.value));
  }
  return { result: step.value, booked };
}

export function* announce(booked: Booked): Script<void> {
  yield { booked };
}

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

/** Without a transaction: each query takes effect by itself, and no cache depends on it. */
export interface StepRunner {
  /** May run again after a lost answer, so the script must be idempotent. */
  steps<T>(script: () => Script<T>): Promise<T>;
}

/** Reads from one consistent snapshot. */
export interface ScriptRunner {
  /** From one state of the database. */
  read<T>(script: () => Script<T>): Promise<T>;
  /** Like `read`, in another thread, a few at a time and fair by account; for scripts that take more than milliseconds. */
  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T>;
  /** Serializable; committed once the promise resolves. Then announces what was booked. */
  write<T>(script: () => Script<T>): Promise<T>;
  /** Like `read`, for long scripts: other work runs between the queries. */
  readInBackground<T>(script: () => Script<T>): Promise<T>;
}

/** Builds queries without running them. */
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

export function compilable<Row>(queries: Queries, query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(queries) };
}

/** Locks the selected rows until the commit. SQLite has one writer at a time anyway. */
export function locking<Query extends { forNoKeyUpdate(): Query }>(queries: Queries, query: Query): Query {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? query.forNoKeyUpdate() : query;
}
