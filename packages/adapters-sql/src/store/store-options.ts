import { type ChangeNotifications, type Clock, MILLISECONDS_PER_SECOND, type ProcessId } from '@tollgate/core';
import type { MigrationListener } from '../schema/migrate.js';
import type { WalReport } from '../sqlite/checkpoints/wal-report.js';

/** What every store is opened with, wherever its database is. */
export interface StoreOptions {
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

/** How processes on several machines tell each other of changes. */
export interface SharedStoreOptions {
  /** In place of the database's own notifications. */
  readonly changes?: ChangeNotifications;
}

/** How long a process counts as alive after it opened the store, until its first checkpoint. */
export const FIRST_LEASE_MILLISECONDS = 15 * MILLISECONDS_PER_SECOND;
