import type { Booked, UsageScope } from '@tollgate/core';
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

/** Announces a change of a balance, once the transaction of its script is committed. */
export interface Announcement {
  readonly booked: Booked;
}

/**
 * A transaction written once for every database: a generator that yields queries and is sent their answers.
 * SQLite runs it in one go, inside a group commit; a database behind a socket would await between its steps.
 */
export type Script<T> = Generator<CompiledQuery | Announcement, T, QueryAnswer>;

export interface ScriptOutcome<T> {
  readonly result: T;
  /** What the runner announces after the commit. */
  readonly booked: readonly Booked[];
}

/** What the first step and announcements are sent, which nothing reads. */
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

/** As `runScript`, for a database that answers later. */
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
  /** One serializable transaction, in force once the promise resolves; then announces what the script booked. */
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

/** Locks the rows that a query of a writing script reads, until it is committed. On SQLite, a writing script is alone anyway. */
export function locking<Query extends { forNoKeyUpdate(): Query }>(queries: Queries, query: Query): Query {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? query.forNoKeyUpdate() : query;
}
