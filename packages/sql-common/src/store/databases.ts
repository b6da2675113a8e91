import { resolve } from 'node:path';
import { assertNever, type Clock } from '@tollgate/core';
import type { PostgresStoreOptions, SharedStoreOptions, SqliteStoreOptions, SqlStore, StoreOptions } from './sql-store.js';

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
export type DatabasePlace =
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
}

/** The package for database servers. */
export interface PostgresAdapter {
  openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore>;
  /** Throws `MissingDatabaseError`, and what the driver says. */
  inspectPostgres(url: string, clock: Clock): Promise<InspectedDatabase>;
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
  async open(place: DatabasePlace, options: StoreOptions & SharedStoreOptions): Promise<SqlStore> {
    switch (place.kind) {
      case 'sqlite': return (await this.adapters.sqlite()).openSqliteStore({ file: place.path, ...options });
      case 'postgres': return (await this.adapters.postgres()).openPostgresStore({ url: place.url, ...options });
      default: return assertNever(place);
    }
  }

  /** Looks at a database without making it, changing it or bringing its schema up to date. A gateway may be using it. */
  async inspect(place: DatabasePlace, clock: Clock): Promise<DatabaseInspection> {
    try {
      if (place.kind === 'sqlite') return (await this.adapters.sqlite()).inspectSqlite(place.path);
      return await (await this.adapters.postgres()).inspectPostgres(place.url, clock);
    } catch (thrown) {
      if (thrown instanceof MissingDatabaseError) return { outcome: 'missing', message: thrown.message };
      const unavailable = thrown instanceof DatabaseUnavailableError ? thrown : new DatabaseUnavailableError(databasePlaceName(place), thrown);
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
export function databasePlaceName(place: DatabasePlace): string {
  return place.kind === 'sqlite' ? `the file ${resolve(place.path)}` : databaseNameOf(place.url);
}

export function compareSteps(applied: readonly string[], known: readonly string[]): Pick<InspectedDatabase, 'pendingSteps' | 'unknownSteps'> {
  return { pendingSteps: known.filter((step) => !applied.includes(step)), unknownSteps: applied.filter((step) => !known.includes(step)) };
}

/** The schema step that makes the table of the fingerprint. */
export const INSTALLATION_STEP = '0009-installation';
