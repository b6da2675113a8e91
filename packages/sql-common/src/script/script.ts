import type { Booked } from '@tollgate/core';
import type { Compilable, CompiledQuery } from 'kysely';

export interface QueryAnswer {
  readonly rows: readonly unknown[];
  /** Number of rows inserted, updated or deleted by a query that returns no rows; meaningless for one that does. */
  readonly changes: number;
}

/** A booking that is announced after the commit. */
export interface Announcement {
  readonly booked: Booked;
}

/**
 * A transaction for any database: a generator that yields queries and receives their answers. SQLite runs it synchronously in a group commit;
 * PostgreSQL awaits each answer.
 */
export type Script<T> = Generator<CompiledQuery | Announcement, T, QueryAnswer>;

export interface ScriptOutcome<T> {
  readonly result: T;
  /** Bookings to be announced after the commit. */
  readonly booked: readonly Booked[];
}

/** Answer to the first step and to announcements. Scripts do not read it. */
const NO_ANSWER: QueryAnswer = { rows: [], changes: 0 };
const NOTHING_BOOKED: readonly Booked[] = [];

/**
 * Runs the script. A failed query ends it: no runner may resume the script with `throw`, because a script that catches failures (`readRows`) means
 * only those of its own code.
 */
export function runScript<T>(script: Script<T>, answerTo: (query: CompiledQuery) => QueryAnswer): ScriptOutcome<T> {
  let booked = NOTHING_BOOKED;
  let step = script.next(NO_ANSWER);
  while (step.done !== true) {
    if ('booked' in step.value) booked = [...booked, step.value.booked];
    step = script.next('booked' in step.value ? NO_ANSWER : answerTo(step.value));
  }
  return { result: step.value, booked };
}

/** Like `runScript`, also after a failed query, for a database whose answers are promises. */
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
  // The type of rows is that of the query, which its builder derived from the schema.
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
