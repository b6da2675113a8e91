import { IN_MEMORY, type QueryAnswer, type Script, type ScriptRunner, type StepRunner } from '@tollgate/sql-common';
import type { CompiledQuery } from 'kysely';
import type { GroupCommit } from '../durability/group-commit.js';
import { retryWhileBusy, type SqliteConnection } from '../sqlite-connection.js';
import { type SharedBackgroundReader, BackgroundReader, runInBackground } from './background-reader.js';
import type { ChangeVersion } from './cached-state.js';

/** What a generator's first step is sent, which nothing reads. */
const NO_ANSWER: QueryAnswer = { rows: [], changes: 0 };

function answerTo(connection: SqliteConnection, { sql, parameters }: CompiledQuery): QueryAnswer {
  const statement = connection.prepare(sql);
  if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
  return { rows: [], changes: statement.run(...parameters).changes };
}

function runThrough<T>(connection: SqliteConnection, script: Script<T>): T {
  let step = script.next(NO_ANSWER);
  while (step.done !== true) step = script.next(answerTo(connection, step.value));
  return step.value;
}

export interface SqliteRunnerParts {
  /** Advanced by every write. */
  readonly changes: ChangeVersion;
  /** Reads that take more than milliseconds. */
  readonly backgroundReader: SharedBackgroundReader;
}

/** Runs scripts on SQLite: writes join the group commit, reads happen at once. */
export class SqliteScriptRunner implements ScriptRunner, StepRunner {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: GroupCommit,
    private readonly parts: SqliteRunnerParts,
  ) {}

  read<T>(script: () => Script<T>): Promise<T> {
    return retryWhileBusy(() => this.readNow(script));
  }

  readInSharedThread<T>(script: () => Script<T>): Promise<T> {
    return this.connection.name === IN_MEMORY ? this.read(script) : this.parts.backgroundReader.run(script);
  }

  readNow<T>(script: () => Script<T>): T {
    this.commits.assertUsable();
    return this.connection.transaction(() => runThrough(this.connection, script())).deferred();
  }

  async write<T>(script: () => Script<T>): Promise<T> {
    const result = await this.commits.run(() => runThrough(this.connection, script()));
    this.parts.changes.advance();
    return result;
  }

  /** In one transaction: here it costs nothing more. */
  steps<T>(script: () => Script<T>): Promise<T> {
    return this.commits.run(() => runThrough(this.connection, script()));
  }

  async readInBackground<T>(script: () => Script<T>): Promise<T> {
    if (this.connection.name === IN_MEMORY) return this.read(script);
    const thread = new BackgroundReader(this.connection.name);
    try {
      return await runInBackground(thread, script());
    } finally {
      await thread.close();
    }
  }
}
