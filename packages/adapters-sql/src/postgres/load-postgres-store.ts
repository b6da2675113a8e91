import type { SqlStore } from '../common/store/sql-store.js';
import type { PostgresStoreOptions } from './open-postgres-store.js';

/**
 * Opens a database that several gateways may share, and brings its schema up to date. Throws `DatabaseUnavailableError` when it cannot be
 * used and `NewerDatabaseError` when a newer program wrote it. Its driver is loaded now: a program on a database file does without.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SqlStore> {
  const store = await import('./open-postgres-store.js');
  return store.openPostgresStore(options);
}
