import { resolve } from 'node:path';
import {
  type AccountErasure, type AccountRepository, assertNever, type AuditTrail, type Clock, type IdempotencyStore, type InstallationRegistry, type KeyDirectory,
  type KeyRepository, type Ledger, type LedgerAudit, MILLISECONDS_PER_SECOND, type OperatorControls, type OperatorLookups, type PlatformState,
  type ProcessId, type RequestBooks, type ResponseStore, type UsageReader, type UsageTotals,
} from '@tollgate/core';
import type { FactorRecords, IssuerRecords, MailOutbox, PasskeyRecords, PersonRecords, SessionRecords } from '@tollgate/identity';
import type { LeaseClock } from '../script/lease-clock.js';
import type { MigrationListener } from '../migrations/migrate.js';
import type { StoreHistory } from './store-history.js';
import type { CopyProgress, StoreReader } from './store-reader.js';

/** The database cannot be used. The message is for the operator: it names the database, and no password. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(database: string, cause: unknown) {
    super(`cannot open the database ${database}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** There is no database of Tollgate where the settings say, and none may be made. The message is for the operator: it names the place, and no password. */
export class MissingDatabaseError extends Error {
  override readonly name = 'MissingDatabaseError';

  /** `place` is `the file /var/lib/tollgate.db` or `postgresql://host/database`. */
  constructor(readonly place: string) {
    super(`there is no database of Tollgate in ${place}`);
  }
}

/** A file, or a server that several gateways share. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The state of a database, found without changing it. */
export type DatabaseInspection =
  /** The message names the place, and no password. */
  | { readonly outcome: 'missing' | 'unavailable'; readonly message: string }
  | InspectedDatabase;

export interface InspectedDatabase {
  readonly outcome: 'inspected';
  /** Schema steps that the next start of this version takes. */
  readonly pendingSteps: readonly string[];
  /** Schema steps that a newer version has taken. */
  readonly unknownSteps: readonly string[];
  /** Of the secret that the database belongs to; `null` where none is recorded. */
  readonly fingerprint: string | null;
  /** How far the server's clock is ahead of this machine's; `null` where the database has no clock of its own. */
  readonly clockAheadMilliseconds: number | null;
}

/** The package for database files. */
export interface SqliteAdapter {
  openSqliteStore(options: SqliteStoreOptions): Promise<SqlStore>;
  /** Throws `MissingDatabaseError`, and what SQLite says. */
  inspectSqlite(file: string): InspectedDatabase;
  openSqliteReader(file: string): StoreReader;
  copyDatabase(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void>;
  /** Refuses a file that a gateway uses, and keeps gateways from it until it is released. */
  lockDatabaseFile(file: string): Promise<{ release(): Promise<void> }>;
}

/** The package for database servers. */
export interface PostgresAdapter {
  openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore>;
  /** Throws `MissingDatabaseError`, and what the driver says. */
  inspectPostgres(url: string, clock: Clock): Promise<InspectedDatabase>;
  openPostgresReader(url: string): Promise<StoreReader>;
}

/** Loads the package for one kind of database, and its driver with it. */
export interface DatabaseAdapters {
  readonly sqlite: () => Promise<SqliteAdapter>;
  readonly postgres: () => Promise<PostgresAdapter>;
}

/** Databases of either kind. A program loads the driver of the kind that it opens, and no other. */
export class Databases {
  constructor(private readonly adapters: DatabaseAdapters) {}

  /**
   * Opens the database where the settings say it is, and brings its schema up to date. Throws `DatabaseUnavailableError`
   * when it cannot be used, `NewerDatabaseError` when a newer program wrote it and `MissingDatabaseError` when there is none and none may be made.
   */
  async open(location: DatabaseLocation, options: StoreOptions): Promise<SqlStore> {
    switch (location.kind) {
      case 'sqlite': return (await this.adapters.sqlite()).openSqliteStore({ file: location.path, ...options });
      case 'postgres': return (await this.adapters.postgres()).openPostgresStore({ url: location.url, ...options });
      default: return assertNever(location);
    }
  }

  /**
   * Opens a database for reading alone: nothing is migrated, and no lease is taken. Throws `MissingDatabaseError`, `OlderDatabaseError`,
   * `NewerDatabaseError` and `DatabaseUnavailableError`.
   */
  async openReader(location: DatabaseLocation): Promise<StoreReader> {
    if (location.kind === 'postgres') return (await this.adapters.postgres()).openPostgresReader(location.url);
    if (location.path === IN_MEMORY) throw new MissingDatabaseError('memory: it lives and ends with its gateway');
    return (await this.adapters.sqlite()).openSqliteReader(location.path);
  }

  /** The functions that only database files have. */
  files(): Promise<SqliteAdapter> {
    return this.adapters.sqlite();
  }

  /** Looks at a database without making it, changing it or bringing its schema up to date. A gateway may be using it. */
  async inspect(location: DatabaseLocation, clock: Clock): Promise<DatabaseInspection> {
    try {
      if (location.kind === 'sqlite') return (await this.adapters.sqlite()).inspectSqlite(location.path);
      return await (await this.adapters.postgres()).inspectPostgres(location.url, clock);
    } catch (thrown) {
      if (thrown instanceof MissingDatabaseError) return { outcome: 'missing', message: thrown.message };
      const unavailable = thrown instanceof DatabaseUnavailableError ? thrown : new DatabaseUnavailableError(databaseLocationName(location), thrown);
      return { outcome: 'unavailable', message: unavailable.message };
    }
  }
}

/** The database of a URL as messages may show it: no user, no password, no parameters. */
export function databaseNameOf(url: string): string {
  const [, place = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?([^?#]*)/i.exec(url) ?? [];
  return place === '' || place.startsWith('/') ? `postgresql://localhost${place}` : `postgresql://${place}`;
}

/** Where a database is, as messages may show it: a file with its whole path, or a server without user, password and parameters. */
export function databaseLocationName(location: DatabaseLocation): string {
  return location.kind === 'sqlite' ? `the file ${resolve(location.path)}` : databaseNameOf(location.url);
}

export function compareSteps(applied: readonly string[], known: readonly string[]): Pick<InspectedDatabase, 'pendingSteps' | 'unknownSteps'> {
  return { pendingSteps: known.filter((step) => !applied.includes(step)), unknownSteps: applied.filter((step) => !known.includes(step)) };
}

/** The step that only a new database takes. */
export const INITIAL_STEP = '0001-initial';

/** The schema step that makes the table of the fingerprint. */
export const INSTALLATION_STEP = '0009-installation';

/** Every port that one database serves. */
export interface SqlStore {
  readonly ledger: Ledger;
  readonly ledgerAudit: LedgerAudit;
  readonly books: RequestBooks;
  readonly accounts: AccountRepository;
  readonly erasure: AccountErasure;
  readonly keys: KeyRepository & KeyDirectory;
  readonly usage: UsageReader;
  readonly usageTotals: UsageTotals;
  readonly idempotency: IdempotencyStore;
  readonly responses: ResponseStore;
  readonly mail: MailOutbox;
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
  readonly lookups: OperatorLookups;
  readonly history: StoreHistory;
  readonly installation: InstallationRegistry;
  readonly auditTrail: AuditTrail;
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly passkeys: PasskeyRecords;
  readonly issuers: IssuerRecords;
  readonly factors: FactorRecords;
  /** Waits for what is being written, gives up this process's lease and closes the database. */
  close(): Promise<void>;
}

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

/** A database that lives as long as its connection; for tests and trials. */
export const IN_MEMORY = ':memory:';
