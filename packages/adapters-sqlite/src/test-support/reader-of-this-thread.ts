import Database from 'better-sqlite3';
import type { SnapshotReader } from '../reading/background-reader.js';
import type { BackgroundQuery } from '../reading/background-worker.js';

/**
 * Reads as `BackgroundReader` does, on a connection of its own, but in this thread: starting a thread takes 60 ms of CPU, and most tests of a database
 * file do not depend on one. Rows are cloned as messages between threads are.
 */
export class ReaderOfThisThread implements SnapshotReader {
  private readonly connection;

  constructor(file: string) {
    this.connection = new Database(file, { readonly: true, fileMustExist: true }).defaultSafeIntegers(true);
  }

  async rows({ sql, parameters }: BackgroundQuery): Promise<readonly unknown[]> {
    // Other work runs between the queries, as with a thread.
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
