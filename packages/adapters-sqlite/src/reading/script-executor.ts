import { type QueryAnswer, runScript, type Script, type ScriptOutcome } from '@tollgate/sql-common';
import type { CompiledQuery } from 'kysely';
import type { SqliteConnection, SqliteStatement } from '../file/sqlite-connection.js';

/** Exceeds the number of queries of the API and the background services, about 250. Only lists of several lengths add more. */
export const MAX_STATEMENTS = 500;

/** Caches prepared statements, because preparing one takes longer than running most of them (`docs/performance.md`). */
export class ScriptExecutor {
  readonly #statements = new Map<string, SqliteStatement<unknown[]>>();

  constructor(private readonly connection: SqliteConnection) {}

  run<T>(script: Script<T>): T {
    return this.runBooking(script).result;
  }

  /** Like `run`. The caller must announce the bookings of the outcome after the commit. */
  runBooking<T>(script: Script<T>): ScriptOutcome<T> {
    return runScript(script, (query) => this.#answerTo(query));
  }

  #answerTo({ sql, parameters }: CompiledQuery): QueryAnswer {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  #prepare(sql: string): SqliteStatement<unknown[]> {
    const statement = this.connection.prepare(sql);
    if (this.#statements.size === MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}
