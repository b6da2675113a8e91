import { type Clock, MILLISECONDS_PER_SECOND, type ProcessId } from '@tollgate/core';
import type { MigrationListener } from '../migrations/migrate.js';
import type { LeaseClock } from '../script/lease-clock.js';

export interface StoreOptions {
  /** Used only by PostgreSQL. By default `database`, which is the clock of the server. SQLite always uses `caller`. */
  readonly leaseClock?: LeaseClock;
  readonly clock: Clock;
  /**
   * Milliseconds of a monotonic clock, by default that of the system. They determine how often a database file is checked for changes by other
   * processes.
   */
  readonly elapsed?: () => number;
  /** Owner of the reservations that this process makes. */
  readonly processId: ProcessId;
  /** A database file has at most one gateway at a time, and any number of other programs. Default: `beside-a-gateway`. */
  readonly role?: 'gateway' | 'beside-a-gateway';
  /** What to do if the database does not exist. `make`, the default, creates it; `refuse` throws `MissingDatabaseError` and writes nothing. */
  readonly whenMissing?: 'make' | 'refuse';
  /** Called for each migration step that was applied while opening the store. */
  readonly onMigrated?: MigrationListener;
  /** Used only by the gateway of a database file. */
  readonly walReport?: WalReport;
}

/** Lease of the process between the opening of the store and the first checkpoint. */
export const FIRST_LEASE_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;

/** Reports about the write-ahead log of a database file, so that its growth is noticed. */
export interface WalReport {
  /** Called with the number of pages in the log, once for many operations. */
  grown(pages: number): void;
  /** Called after a checkpoint in another thread, even if a reader prevented it from copying all pages. */
  walCheckpointed(): void;
  /** Called after a checkpoint failed. It is repeated when the log has grown. */
  walCheckpointFailed(cause: unknown): void;
  /** Called before the main thread runs the checkpoint because the log is too long. No request is served meanwhile. */
  fellBack(pages: number): void;
}

export const NO_WAL_REPORT: WalReport = {
  grown: () => undefined,
  walCheckpointed: () => undefined,
  walCheckpointFailed: () => undefined,
  fellBack: () => undefined,
};

export interface SqliteStoreOptions extends StoreOptions {
  /** Path of the file, which is created if missing unless `whenMissing` forbids it, or `:memory:` for a database within the process. */
  readonly file: string;
}

export interface PostgresStoreOptions extends StoreOptions {
  /** Connection URL, such as `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`. */
  readonly url: string;
}
