export { inspectSqlite } from './inspect-sqlite.js';
export { openSqliteStore, type SqliteStore } from './open-sqlite-store.js';
