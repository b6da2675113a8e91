export { copyDatabase } from './copying/copy-database.js';
export { openSqliteReader } from './copying/open-sqlite-reader.js';
export { lockDatabaseFile } from './file/lock-database-file.js';
export { inspectSqlite } from './inspect-sqlite.js';
export { openSqliteStore, type SqliteStore } from './open-sqlite-store.js';
