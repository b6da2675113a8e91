import { assertNever } from '@tollgate/core';
import { openPostgresStore } from '../postgres/load-postgres-store.js';
import { openSqliteStore } from '../sqlite/open-sqlite-store.js';
import type { SqlStore } from './sql-store.js';
import type { SharedStoreOptions, StoreOptions } from './store-options.js';

/** A file, or a server that several gateways share. */
export type DatabasePlace =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Opens the database where the settings say it is, and brings its schema up to date. Throws `DatabaseUnavailableError`
 * when it cannot be used and `NewerDatabaseError` when a newer program wrote it.
 */
export function openStore(place: DatabasePlace, options: StoreOptions & SharedStoreOptions): Promise<SqlStore> {
  switch (place.kind) {
    case 'sqlite': return openSqliteStore({ file: place.path, ...options });
    case 'postgres': return openPostgresStore({ url: place.url, ...options });
    default: return assertNever(place);
  }
}
