import { type Clock, MILLISECONDS_PER_SECOND, type ProcessId } from '@tollgate/core';
import type { MigrationListener } from '../migrations/migrate.js';
import type { LeaseClock } from '../script/lease-clock.js';

export interface StoreOptions {
  /** Default: `database`, the server's clock. */
  readonly leaseClock?: LeaseClock;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock; default: the system's. Paces the polling of a database file for other processes' changes. */
  readonly elapsed?: () => number;
  /** Owner of the reservations of this run. */
  readonly processId: ProcessId;
  /** One gateway at a time may use a database file, beside any number of other programs. Default: `beside-a-gateway`. */
  readonly role?: 'gateway' | 'beside-a-gateway';
  /** Default: `make`. `refuse` throws `MissingDatabaseError` and writes nothing. */
  readonly whenMissing?: 'make' | 'refuse';
  /** Called for each step of the migration while the store opens. */
  readonly onMigrated?: MigrationListener;
  /** Only for the gateway of a database file. */
  readonly walReport?: WalReport;
}

/** Lease from the opening of the store to the first checkpoint. */
export const FIRST_LEASE_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;

/** Reports the write-ahead log of a database file, so that growth is noticed. */
export interface WalReport {
  /** Called every few commits with the number of pages in the log. */
  grown(pages: number): void;
  /** Called after a checkpoint in another thread. */
  walCheckpointed(): void;
  /** Called when a checkpoint failed; it is retried as the log grows. */
  walCheckpointFailed(cause: unknown): void;
  /** The log was too long, so the program checkpointed it itself and served nothing meanwhile. */
  fellBack(pages: number): void;
}

export const NO_WAL_REPORT: WalReport = {
  grown: () => undefined,
  walCheckpointed: () => undefined,
  walCheckpointFailed: () => undefined,
  fellBack: () => undefined,
};

export interface SqliteStoreOptions extends StoreOptions {
  /** Created if missing; `:memory:` for a database of the process. */
  readonly file: string;
}

export interface PostgresStoreOptions extends StoreOptions {
  /** Connection URL: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`. */
  readonly url: string;
}
