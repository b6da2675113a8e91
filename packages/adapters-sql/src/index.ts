export { openStore, type DatabasePlace } from './store/open-store.js';
export type { SqlStore } from './store/sql-store.js';
export { FIRST_LEASE_MILLISECONDS, type SharedStoreOptions, type StoreOptions } from './store/store-options.js';
export { DatabaseUnavailableError } from './store/database-unavailable-error.js';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.js';
export { openPostgresStore, type PostgresStoreOptions } from './postgres/open-postgres-store.js';
export type { WalReport } from './sqlite/checkpoints/wal-report.js';
export { IN_MEMORY } from './sqlite/sqlite-connection.js';
export { NewerDatabaseError, type MigrationListener } from './schema/migrate.js';
