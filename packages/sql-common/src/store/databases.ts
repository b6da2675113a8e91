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
  /** Throws `MissingDatabaseError`, `DatabaseUnavailableError`, `UnreleasedDatabaseError`, and errors of SQLite. */
  inspectSqlite(file: string): InspectedDatabase;
  openSqliteReader(file: string): StoreReader;
  copyDatabase(file: string, target: string, onProgress: (progress: CopyProgress) => void): Promise<void>;
  /** Locks a file, so that no gateway can use it until the lock is released. Throws if a gateway uses it. */
  lockDatabaseFile(file: string): Promise<{ release(): Promise<void> }>;
}

export interface PostgresAdapter {
  openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore>;
  /** Throws `MissingDatabaseError`, `UnreleasedDatabaseError`, and errors of the driver. */
  inspectPostgres(url: string, clock: Clock): Promise<InspectedDatabase>;
  openPostgresReader(url: string): Promise<StoreReader>;
}

/** Functions that load an adapter and its driver. */
export interface DatabaseAdapters {
  readonly sqlite: () => Promise<SqliteAdapter>;
  readonly postgres: () => Promise<PostgresAdapter>;
}

/** Opens databases. Loads the driver of a database only when one is opened. */
export class Databases {
  constructor(private readonly adapters: DatabaseAdapters) {}

  /**
   * Opens a store, and migrates its schema. Throws `UnusableSchemaError` if this version cannot migrate the schema, `MissingDatabaseError` if the
   * database does not exist and must not be created, and otherwise `DatabaseUnavailableError`.
   */
  async open(location: DatabaseLocation, options: StoreOptions): Promise<SqlStore> {
    switch (location.kind) {
      case 'sqlite': return (await this.adapters.sqlite()).openSqliteStore({ file: location.path, ...options });
      case 'postgres': return (await this.adapters.postgres()).openPostgresStore({ url: location.url, ...options });
      default: return assertNever(location);
    }
  }

  /**
   * Opens a database for reading, without a migration or a lease. Throws `MissingDatabaseError`, `UnusableSchemaError` for another schema version,
   * and otherwise `DatabaseUnavailableError`.
   */
  async openReader(location: DatabaseLocation): Promise<StoreReader> {
    if (location.kind === 'postgres') return (await this.adapters.postgres()).openPostgresReader(location.url);
    if (location.path === IN_MEMORY) throw new MemoryDatabaseError();
    return (await this.adapters.sqlite()).openSqliteReader(location.path);
  }

  /** Adapter of SQLite, for copying and locking, which only database files have. */
  files(): Promise<SqliteAdapter> {
    return this.adapters.sqlite();
  }

  /** Inspects a database without changing it. A gateway may be using it. */
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
