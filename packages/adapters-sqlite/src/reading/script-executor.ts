// Keeps prepared statements; `docs/performance.md` states the gain.
import { type QueryAnswer, runScript, type Script, type ScriptOutcome } from '@tollgate/sql-common';
import type { CompiledQuery } from 'kysely';
import type { SqliteConnection, SqliteStatement } from '../file/sqlite-connection.js';

/** More than the API's queries; only reports and verification add others. */
export const MAX_STATEMENTS = 100;

/** Caches prepared statements: preparing takes longer than running most of them. */
export class ScriptExecutor {
  readonly #statements = new Map<string, SqliteStatement<unknown[]>>();

  constructor(private readonly connection: SqliteConnection) {}

  run<T>(script: Script<T>): T {
    return this.runBooking(script).result;
  }

  /** The caller announces what the script booked. */
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
