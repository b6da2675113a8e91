import { assertNever, type Clock } from '@tollgate/core';
import { UnusableSchemaError } from '../migrations/schema-errors.js';
import { DatabaseUnavailableError, MemoryDatabaseError, MissingDatabaseError } from './database-errors.js';
import type { DatabaseInspection, InspectedDatabase } from './database-inspection.js';
import { type DatabaseLocation, databaseLocationName, IN_MEMORY } from './database-location.js';
import type { SqlStore } from './sql-store.js';
import type { PostgresStoreOptions, SqliteStoreOptions, StoreOptions } from './store-options.js';
import type { CopyProgress, StoreReader } from './store-reader.js';

export interface SqliteAdapter {
  openSqliteStore(options: SqliteStoreOptions): Promise<SqlStore>;
  /** Throws `MissingDatabaseError` and SQLite's errors. */
  inspectSqlite(file: string): InspectedDatabase;
  openSqliteReader(file: string): StoreReader;
  copyDatabase(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void>;
  /** Keeps gateways from using the file until the lock is released; refuses a file that a gateway uses. */
  lockDatabaseFile(file: string): Promise<{ release(): Promise<void> }>;
}

export interface PostgresAdapter {
  openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore>;
  /** Throws `MissingDatabaseError` and the driver's errors. */
  inspectPostgres(url: string, clock: Clock): Promise<InspectedDatabase>;
  openPostgresReader(url: string): Promise<StoreReader>;
}

/** Functions that load the adapters with their drivers. */
export interface DatabaseAdapters {
  readonly sqlite: () => Promise<SqliteAdapter>;
  readonly postgres: () => Promise<PostgresAdapter>;
}

/** Loads only the driver of the database that it opens. */
export class Databases {
  constructor(private readonly adapters: DatabaseAdapters) {}

  /**
   * Migrates the schema. Throws `DatabaseUnavailableError`, `UnusableSchemaError` if this version cannot migrate it, and
   * `MissingDatabaseError` if there is none and none may be created.
   */
  async open(location: DatabaseLocation, options: StoreOptions): Promise<SqlStore> {
    switch (location.kind) {
      case 'sqlite': return (await this.adapters.sqlite()).openSqliteStore({ file: location.path, ...options });
      case 'postgres': return (await this.adapters.postgres()).openPostgresStore({ url: location.url, ...options });
      default: return assertNever(location);
    }
  }

  /**
   * Read-only: no migration, no lease. Throws `MissingDatabaseError`, `UnusableSchemaError` for another schema version, and
   * `DatabaseUnavailableError`.
   */
  async openReader(location: DatabaseLocation): Promise<StoreReader> {
    if (location.kind === 'postgres') return (await this.adapters.postgres()).openPostgresReader(location.url);
    if (location.path === IN_MEMORY) throw new MemoryDatabaseError();
    return (await this.adapters.sqlite()).openSqliteReader(location.path);
  }

  /** The adapter of SQLite, for functions that only database files have: copying and locking. */
  files(): Promise<SqliteAdapter> {
    return this.adapters.sqlite();
  }

  /** Read-only; a gateway may be using the database. */
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
