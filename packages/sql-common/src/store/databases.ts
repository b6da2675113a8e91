import { assertNever, type Clock } from '@tollgate/core';
import { UnusableSchemaError } from '../migrations/schema-errors.js';
import { DatabaseUnavailableError, MemoryDatabaseError, MissingDatabaseError } from './database-errors.js';
import type { DatabaseInspection, InspectedDatabase } from './database-inspection.js';
import { type DatabaseLocation, databaseLocationName, IN_MEMORY } from './database-location.js';
import type { SqlStore } from './sql-store.js';
import type { PostgresStoreOptions, SqliteStoreOptions, StoreOptions } from './store-options.js';
import type { CopyProgress, StoreReader } from './store-reader.js';

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
   * when it cannot be used, `UnusableSchemaError` when this program cannot migrate it and `MissingDatabaseError` when there is none and none may be made.
   */
  async open(location: DatabaseLocation, options: StoreOptions): Promise<SqlStore> {
    switch (location.kind) {
      case 'sqlite': return (await this.adapters.sqlite()).openSqliteStore({ file: location.path, ...options });
      case 'postgres': return (await this.adapters.postgres()).openPostgresStore({ url: location.url, ...options });
      default: return assertNever(location);
    }
  }

  /**
   * Opens a database for reading alone: nothing is migrated, and no lease is taken. Throws `MissingDatabaseError`,
   * `UnusableSchemaError` unless the schema is that of this version, and `DatabaseUnavailableError`.
   */
  async openReader(location: DatabaseLocation): Promise<StoreReader> {
    if (location.kind === 'postgres') return (await this.adapters.postgres()).openPostgresReader(location.url);
    if (location.path === IN_MEMORY) throw new MemoryDatabaseError();
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
      if (thrown instanceof UnusableSchemaError) return { outcome: 'unusable', message: thrown.message };
      const unavailable = thrown instanceof DatabaseUnavailableError ? thrown : new DatabaseUnavailableError(databaseLocationName(location), thrown);
      return { outcome: 'unavailable', message: unavailable.message };
    }
  }
}
