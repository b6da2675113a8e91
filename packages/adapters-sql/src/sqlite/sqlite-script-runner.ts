import type { CompiledQuery } from 'kysely';
import type { QueryAnswer, Script } from '../script/script.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import { retryWhileBusy } from './busy.js';
import type { ChangeVersion } from './change-version.js';
import type { GroupCommit } from './group-commit.js';
import { LeisureThread } from './leisure-thread.js';
import { IN_MEMORY, type SqliteConnection } from './sqlite-connection.js';

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

async function runAtLeisure<T>(thread: LeisureThread, script: Script<T>): Promise<T> {
  let step = script.next(NO_ANSWER);
  while (step.done !== true) {
    const { sql, parameters } = step.value;
    step = script.next({ rows: await thread.rows({ sql, parameters }), changes: 0 });
  }
  return step.value;
}

/** Runs scripts on SQLite: writes join the group commit, reads happen at once. */
export class SqliteScriptRunner implements ScriptRunner, StepRunner {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: GroupCommit,
    private readonly changes: ChangeVersion,
  ) {}

  read<T>(script: () => Script<T>): Promise<T> {
    return retryWhileBusy(() => this.readNow(script));
  }

  readNow<T>(script: () => Script<T>): T {
    this.commits.assertUsable();
    return this.connection.transaction(() => runThrough(this.connection, script())).deferred();
  }

  async write<T>(script: () => Script<T>): Promise<T> {
    const result = await this.commits.run(() => runThrough(this.connection, script()));
    this.changes.advance();
    return result;
  }

  /** In one transaction: here it costs nothing more. */
  steps<T>(script: () => Script<T>): Promise<T> {
    return this.commits.run(() => runThrough(this.connection, script()));
  }

  async readAtLeisure<T>(script: () => Script<T>): Promise<T> {
    if (this.connection.name === IN_MEMORY) return this.read(script);
    const thread = new LeisureThread(this.connection.name);
    try {
      return await runAtLeisure(thread, script());
    } finally {
      await thread.close();
    }
  }
}
