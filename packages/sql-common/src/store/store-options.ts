import { type Clock, MILLISECONDS_PER_SECOND, type ProcessId } from '@tollgate/core';
import type { MigrationListener } from '../migrations/migrate.js';
import type { LeaseClock } from '../script/lease-clock.js';

/** What every store is opened with, wherever its database is. */
export interface StoreOptions {
  /** Of a database that several machines share: the server's unless given; tests with a virtual clock let the caller's decide. */
  readonly leaseClock?: LeaseClock;
  readonly clock: Clock;
  /** Milliseconds of a clock that never goes back; the system's unless given. A database file is asked by it for changes of other processes. */
  readonly elapsed?: () => number;
  /** This run of this process: the owner of the reservations it opens. */
  readonly processId: ProcessId;
  /** A database file has one gateway at a time, and any number of programs beside it. A program beside it unless said otherwise. */
  readonly role?: 'gateway' | 'beside-a-gateway';
  /** Whether a database is made where there is none: made unless said otherwise. Else `MissingDatabaseError` is thrown, and nothing is written. */
  readonly whenMissing?: 'make' | 'refuse';
  /** Told of each schema step taken while opening. */
  readonly onMigrated?: MigrationListener;
  /** Told of the write-ahead log of a database file that this process is the gateway of. */
  readonly walReport?: WalReport;
}

/** How long a process counts as alive after it opened the store, until its first checkpoint. */
export const FIRST_LEASE_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;

/** Receives the state of a database file's write-ahead log, so that a log that grows is noticed. */
export interface WalReport {
  /** How many pages it holds now; looked at every few commits. */
  grown(pages: number): void;
  /** What it holds was moved into the database file, off the request path. */
  walCheckpointed(): void;
  /** The thread that moves it could not; it is tried again as the log grows. */
  walCheckpointFailed(cause: unknown): void;
  /** The log had grown so long that the program moved it itself, and served nothing meanwhile. */
  fellBack(pages: number): void;
}

/** The default. */
export const NO_WAL_REPORT: WalReport = {
  grown: () => undefined,
  walCheckpointed: () => undefined,
  walCheckpointFailed: () => undefined,
  fellBack: () => undefined,
};

export interface SqliteStoreOptions extends StoreOptions {
  /** Path of the database file, which is created when it is not there; `:memory:` for one that goes with the process. */
  readonly file: string;
}

export interface PostgresStoreOptions extends StoreOptions {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`, with `sslmode` and the like as parameters. */
  readonly url: string;
}
