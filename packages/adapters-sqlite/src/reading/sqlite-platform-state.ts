import type { PlatformSnapshot, PlatformState } from '@tollgate/core';
import { platformSnapshot, type Queries } from '@tollgate/sql-common';
import { isBusy } from '../file/retry-while-busy.js';
import type { ChangeVersion } from './change-version.js';
import type { SqliteScriptRunner } from './sqlite-script-runner.js';

/** Caches the settings of operators. They are read again after a change by this process or any commit by another. */
export class SqlitePlatformState implements PlatformState {
  private snapshot: PlatformSnapshot;
  private readAt: number;

  constructor(private readonly queries: Queries, private readonly runner: SqliteScriptRunner, private readonly changes: ChangeVersion) {
    this.readAt = changes.current();
    this.snapshot = this.read();
  }

  current(): PlatformSnapshot {
    try {
      this.refresh();
    } catch (thrown) {
      // Another process holds its lock for milliseconds. A later request reads the new state.
      if (!isBusy(thrown)) throw thrown;
    }
    return this.snapshot;
  }

  private refresh(): void {
    const version = this.changes.current();
    if (version === this.readAt) return;
    this.snapshot = this.read();
    this.readAt = version;
  }

  private read(): PlatformSnapshot {
    return this.runner.readNow(() => platformSnapshot(this.queries));
  }
}
