export { inspectSqlite, openSqliteStore, type SqliteStore } from './open-sqlite-store.js';
