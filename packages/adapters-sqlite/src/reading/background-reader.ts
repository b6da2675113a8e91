import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { storeRefusal, type UsageScope } from '@tollgate/core';
import { IN_MEMORY, ReadingTurns, type Script, type ScriptRunner, type StepRunner } from '@tollgate/sql-common';
import type { BackgroundAnswer, BackgroundQuery, EndOfState } from './background-worker.js';
import type { GroupCommit } from '../durability/group-commit.js';
import { retryWhileBusy, type SqliteConnection } from '../sqlite-connection.js';
import type { ChangeVersion } from './cached-state.js';
import { NO_ANSWER, ScriptExecutor } from './script-executor.js';

/** The program beside this file, in the form that this file is run in: compiled, or as its source. */
const PROGRAM = new URL(`./background-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** Looks at one state of a database file from another thread, so that queries of minutes hold up no request of this process. */
export class BackgroundReader {
  private readonly worker: Worker;
  private ended: Error | null = null;

  constructor(file: string) {
    this.worker = new Worker(PROGRAM, { workerData: { file } });
    // Without a listener, what ends the thread between two queries would end the process.
    this.worker.on('error', (error: Error) => {
      this.ended = error;
    });
  }

  /** One query at a time. Throws what the query throws, and what ends the thread. */
  rows(query: BackgroundQuery): Promise<readonly unknown[]> {
    return this.ask(query);
  }

  /** The next query sees the file as it is then. Until this is called, SQLite keeps what the queries before have seen. */
  async endState(): Promise<void> {
    await this.ask('end-of-state');
  }

  private async ask(query: BackgroundQuery | EndOfState): Promise<readonly unknown[]> {
    if (this.ended !== null) throw this.ended;
    const answered = once(this.worker, 'message') as Promise<[BackgroundAnswer]>;
    this.worker.postMessage(query);
    const [answer] = await answered;
    if ('failure' in answer) throw answer.failure;
    return answer.rows;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Runs a script on a thread: all its queries see one state of the file. */
async function runInBackground<T>(thread: BackgroundReader, script: Script<T>): Promise<T> {
  let step = script.next(NO_ANSWER);
  while (step.done !== true) {
    const { sql, parameters } = step.value;
    step = script.next({ rows: await thread.rows({ sql, parameters }), changes: 0 });
  }
  return step.value;
}

/** Long reads that run at a time. */
export const MOST_LONG_READS = 1;

/** Reads a database file from another thread, which starts with the first script; one script at a time, so that many take one core at most. */
export class SharedBackgroundReader {
  private thread: BackgroundReader | null = null;
  private readonly turns = new ReadingTurns(MOST_LONG_READS);
  private isClosed = false;

  constructor(private readonly file: string) {}

  run<T>(holder: UsageScope, script: () => Script<T>): Promise<T> {
    return this.turns.run(holder, () => this.runNext(script));
  }

  /** Lets the script that runs come to its end. Those that wait are refused: together they could take minutes. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.turns.idle();
    await this.thread?.close();
  }

  private async runNext<T>(script: () => Script<T>): Promise<T> {
    if (this.isClosed) throw storeRefusal(new Error('the database is being closed'));
    const thread = this.thread ??= new BackgroundReader(this.file);
    try {
      return await runInBackground(thread, script());
    } catch (failure) {
      // A thread that has ended cannot be asked again.
      this.thread = null;
      await thread.close();
      throw failure;
    } finally {
      if (this.thread !== null) await thread.endState();
    }
  }
}

export interface SqliteRunnerParts {
  /** Advanced by every write. */
  readonly changes: ChangeVersion;
  /** Reads that take more than milliseconds. */
  readonly backgroundReader: SharedBackgroundReader;
}

/** Runs scripts on SQLite: writes join the group commit, reads happen at once. */
export class SqliteScriptRunner implements ScriptRunner, StepRunner {
  readonly #executor: ScriptExecutor;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: GroupCommit,
    private readonly parts: SqliteRunnerParts,
  ) {
    this.#executor = new ScriptExecutor(connection);
  }

  read<T>(script: () => Script<T>): Promise<T> {
    return retryWhileBusy(() => this.readNow(script));
  }

  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T> {
    return this.connection.name === IN_MEMORY ? this.read(script) : this.parts.backgroundReader.run(holder, script);
  }

  readNow<T>(script: () => Script<T>): T {
    this.commits.assertUsable();
    return this.connection.transaction(() => this.#executor.run(script())).deferred();
  }

  async write<T>(script: () => Script<T>): Promise<T> {
    const result = await this.commits.run(() => this.#executor.run(script()));
    this.parts.changes.advance();
    return result;
  }

  /** In one transaction: here it costs nothing more. */
  steps<T>(script: () => Script<T>): Promise<T> {
    return this.commits.run(() => this.#executor.run(script()));
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
