import type { BookingObserver, UsageScope } from '@tollgate/core';
import { IN_MEMORY, type Script, type ScriptRunner, type StepRunner } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import { retryWhileBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import type { ChangeVersion } from './change-version.js';
import { ScriptExecutor } from './script-executor.js';
import type { SharedBackgroundReader } from './shared-background-reader.js';

export interface SqliteRunnerParts {
  /** Advanced by writes. */
  readonly changes: ChangeVersion;
  readonly bookings: BookingObserver;
  /** Runs reads that take longer than milliseconds. */
  readonly backgroundReader: SharedBackgroundReader;
}

/** Writes join the group commit; reads are synchronous. */
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
    const { result, booked } = await this.commits.run(() => this.#executor.runBooking(script()));
    this.parts.changes.advance();
    for (const each of booked) this.parts.bookings.booked(each);
    return result;
  }

  /** Runs all steps in one transaction, since SQLite commits them together anyway. */
  steps<T>(script: () => Script<T>): Promise<T> {
    return this.commits.run(() => this.#executor.run(script()));
  }

  /** Like `steps`, without waiting for the disk. A power failure may lose the result until a later write is synced. */
  stepsAhead<T>(script: () => Script<T>): Promise<T> {
    return this.commits.runAhead(() => this.#executor.run(script()));
  }

  /** Like `steps`, but overwrites deleted data with zeros. The write-ahead log contains the data until it restarts. */
  stepsErasing<T>(script: () => Script<T>): Promise<T> {
    return this.commits.run(() => {
      this.connection.pragma('secure_delete = ON');
      try {
        return this.#executor.run(script());
      } finally {
        this.connection.pragma('secure_delete = OFF');
      }
    });
  }

  readInBackground<T>(script: () => Script<T>): Promise<T> {
    return this.connection.name === IN_MEMORY ? this.read(script) : this.parts.backgroundReader.runAlone(script);
  }
}
