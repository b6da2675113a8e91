import { resolve } from 'node:path';
import { assertNever } from '@tollgate/core';
import { openPostgresStore } from '../../postgres/load-postgres-store.js';
import { openSqliteStore } from '../../sqlite/open-sqlite-store.js';
import type { SharedStoreOptions, SqlStore, StoreOptions } from './sql-store.js';

/** The database of a URL as messages may show it: no user, no password, no parameters. */
export function databaseNameOf(url: string): string {
  const [, place = ''] = /^[a-z]+:\/\/(?:[^@/]*@)?([^?#]*)/i.exec(url) ?? [];
  return place === '' || place.startsWith('/') ? `postgresql://localhost${place}` : `postgresql://${place}`;
}

/** A file, or a server that several gateways share. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Opens the database where the settings say it is, and brings its schema up to date. Throws `DatabaseUnavailableError`
 * when it cannot be used, `NewerDatabaseError` when a newer program wrote it and `MissingDatabaseError` when there is none and none may be made.
 */
export function openStore(place: DatabasePlace, options: StoreOptions & SharedStoreOptions): Promise<SqlStore> {
  switch (place.kind) {
    case 'sqlite': return openSqliteStore({ file: place.path, ...options });
    case 'postgres': return openPostgresStore({ url: place.url, ...options });
    default: return assertNever(place);
  }
}

/** Where a database is, as messages may show it: a file with its whole path, or a server without user, password and parameters. */
export function databasePlaceName(place: DatabasePlace): string {
  return place.kind === 'sqlite' ? `the file ${resolve(place.path)}` : databaseNameOf(place.url);
}
