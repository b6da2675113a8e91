import type { NewEvent } from '@tollgate/core';
import { appendEvent, type BookingCrossings, sqliteQueries, storeCrossings } from '@tollgate/sql-common';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { ScriptExecutor } from '../reading/script-executor.js';

/** Stores the events of thresholds that settlements cross, and the other effects of crossing them, within the caller's transaction. */
export class CrossingRecorder {
  private readonly queries = sqliteQueries();
  private readonly executor: ScriptExecutor;

  constructor(connection: SqliteConnection) {
    this.executor = new ScriptExecutor(connection);
  }

  store(event: NewEvent): void {
    this.executor.run(appendEvent(this.queries, event));
  }

  cross(crossings: BookingCrossings): void {
    this.executor.run(storeCrossings(this.queries, crossings));
  }
}
