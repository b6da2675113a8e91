import type { BookingSource, AmountChange, KeySpent } from '@tollgate/core';
import { recordCrossings, recordKeyLimit, sqliteQueries } from '@tollgate/sql-common';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { ScriptExecutor } from '../reading/script-executor.js';

/** Stores events of settlements, within the caller's transaction. */
export class CrossingRecorder {
  private readonly queries = sqliteQueries();
  private readonly executor: ScriptExecutor;

  constructor(connection: SqliteConnection) {
    this.executor = new ScriptExecutor(connection);
  }

  balance(source: BookingSource, change: AmountChange): void {
    this.executor.run(recordCrossings(this.queries, source, change));
  }

  keyLimit(spent: Omit<KeySpent, 'exhaustedBelow'>): void {
    this.executor.run(recordKeyLimit(this.queries, spent));
  }
}
