import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseUnavailableError, IN_MEMORY, MemoryDatabaseError, MIGRATION_TABLE, MissingDatabaseError } from '@tollgate/sql-common';
import { makePrivateDatabase } from './private-files.js';

export type SqliteConnection = Database.Database;
export type SqliteStatement<Parameters extends unknown[], Row = unknown> = Database.Statement<Parameters, Row>;
/** Values of `@name` parameters. SQLite refuses a statement if one is missing. */
export type NamedValues = Readonly<Record<string, bigint | number | string | null>>;

/** Maximum time that opening blocks on locks. No requests are served meanwhile. */
const OPENING_WAIT_MILLISECONDS = 5_000;

/** SQLite scans its page cache after some commits. A larger one therefore costs more than reading pages again (`docs/performance.md`). */
const CACHE_KIBIBYTES = 8_192;

function configure(connection: SqliteConnection): void {
  connection.pragma('journal_mode = WAL');
  // Commits do not wait for the disk; `WriteAheadLog` syncs where required.
  connection.pragma('synchronous = NORMAL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
  connection.defaultSafeIntegers(true);
}

/** Creates the file and its folder if missing, both accessible to the owner only. Throws `DatabaseUnavailableError`. */
export function makeDatabase(file: string): void {
  if (file === IN_MEMORY) return;
  try {
    makePrivateDatabase(file);
  } catch (thrown) {
    throw new DatabaseUnavailableError(`file ${resolve(file)}`, thrown);
  }
}

/**
 * Throws `MissingDatabaseError` if the file is missing or has no schema of Tollgate, `MemoryDatabaseError` for a database in memory, and
 * `DatabaseUnavailableError` if the file cannot be read. Changes nothing.
 */
export function requireDatabase(file: string): void {
  if (file === IN_MEMORY) throw new MemoryDatabaseError();
  if (!existsSync(file) || !hasSchema(file)) throw new MissingDatabaseError(`the file ${resolve(file)}`);
}

function hasSchema(file: string): boolean {
  try {
    const connection = new Database(file, { timeout: OPENING_WAIT_MILLISECONDS, fileMustExist: true });
    try {
      return hasTable(connection, MIGRATION_TABLE);
    } finally {
      connection.close();
    }
  } catch (thrown) {
    throw new DatabaseUnavailableError(`file ${resolve(file)}`, thrown);
  }
}

export function hasTable(connection: SqliteConnection, name: string): boolean {
  return connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** Creates the file and its folder if missing. Throws `DatabaseUnavailableError`. */
export function openConnection(file: string): SqliteConnection {
  makeDatabase(file);
  try {
    const connection = new Database(file, { timeout: OPENING_WAIT_MILLISECONDS });
    configure(connection);
    return connection;
  } catch (thrown) {
    throw new DatabaseUnavailableError(`file ${resolve(file)}`, thrown);
  }
}

/** Opens a database in memory with contents that `serialize` of another connection returned. */
export function openCopyInMemory(contents: Buffer): SqliteConnection {
  const connection = new Database(contents);
  configure(connection);
  return connection;
}

/** After this, a statement fails at once if another process holds a lock. Callers repeat it without blocking. */
export function stopBlocking(connection: SqliteConnection): void {
  connection.pragma('busy_timeout = 0');
}

/** Path of the database file, with links resolved. */
export function fileOf(connection: SqliteConnection): string {
  const databases = connection.pragma('database_list') as readonly { readonly name: string; readonly file: string }[];
  return databases.find(({ name }) => name === 'main')?.file ?? connection.name;
}
