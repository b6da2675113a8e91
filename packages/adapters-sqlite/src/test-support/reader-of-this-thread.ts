import Database from 'better-sqlite3';
import type { SnapshotReader } from '../reading/background-reader.js';
import type { BackgroundQuery } from '../reading/background-worker.js';

/**
 * Reads like `BackgroundReader` on a separate connection, but in this thread. Starting a thread takes 60 ms of CPU time, and most tests do not depend
 * on it. Rows are cloned, as in messages between threads.
 */
export class ReaderOfThisThread implements SnapshotReader {
  private readonly connection;

  constructor(file: string) {
    this.connection = new Database(file, { readonly: true, fileMustExist: true }).defaultSafeIntegers(true);
  }

  async rows({ sql, parameters }: BackgroundQuery): Promise<readonly unknown[]> {
    // Other work runs between the queries, as with another thread.
    await new Promise(setImmediate);
    if (!this.connection.inTransaction) this.connection.exec('BEGIN');
    return structuredClone(this.connection.prepare(sql).all(...parameters));
  }

  async endState(): Promise<void> {
    if (this.connection.inTransaction) this.connection.exec('COMMIT');
  }

  async close(): Promise<void> {
    this.connection.close();
  }
}
