export { inspectSqlite } from './migrate-sqlite.js';
export { openSqliteStore, type SqliteStore } from './open-sqlite-store.js';
