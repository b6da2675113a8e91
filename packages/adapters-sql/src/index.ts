export { type DatabaseInspection, inspectDatabase, type InspectedDatabase } from './common/store/inspect-database.js';
export { type DatabasePlace, databasePlaceName, openStore } from './common/store/open-store.js';
export { FIRST_LEASE_MILLISECONDS, type SharedStoreOptions, type SqlStore, type StoreOptions, type WalReport } from './common/store/sql-store.js';
export { DatabaseUnavailableError, MissingDatabaseError } from './common/store/database-errors.js';
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.js';
export type { PostgresStoreOptions } from './postgres/open-postgres-store.js';
export { openPostgresStore } from './postgres/load-postgres-store.js';
export { IN_MEMORY } from './sqlite/sqlite-connection.js';
export { type MigrationListener, NewerDatabaseError } from './common/migrations/migrate.js';
