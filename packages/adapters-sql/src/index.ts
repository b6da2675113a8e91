export { openSqliteStore, FIRST_LEASE_MILLISECONDS } from './sqlite/open-sqlite-store.js';
export type { SqliteStore, SqliteStoreOptions } from './sqlite/open-sqlite-store.js';
export { DatabaseUnavailableError, IN_MEMORY } from './sqlite/sqlite-connection.js';
export { NewerDatabaseError, type MigrationListener } from './schema/migrate.js';
