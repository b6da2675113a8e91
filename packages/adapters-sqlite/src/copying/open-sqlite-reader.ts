import { accessSync, closeSync, constants, copyFileSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  compareSteps, DatabaseUnavailableError, MIGRATION_TABLE, MissingDatabaseError, requireCurrentSchema, type Script, type ScriptRunner, SqlAuditTrail,
  sqliteQueries, SqlLedgerAudit, SqlRequestBooks, SqlStatementRecords, SqlStoreHistory, type StoreReader,
} from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { SQLITE_MIGRATIONS } from '../schema/migrate-sqlite.js';
import { ScriptExecutor } from '../reading/script-executor.js';
import { errorCodeOf } from '../file/sqlite-failures.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';

/** Offset of the read version in the header of a database file; see https://sqlite.org/fileformat2.html */
const READ_VERSION_OFFSET = 19;
const READ_VERSION_OF_WAL = 2;
const WAIT_MILLISECONDS = 5_000;

interface ReadableFile {
  readonly file: string;
  /** `query-only` opens the file for writing, so that SQLite can remove its index and log at the end. Statements that write are refused. */
  readonly mode: 'read-only' | 'query-only';
  readonly remove: () => void;
}

function isInWalMode(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const version = Buffer.alloc(1);
    return readSync(descriptor, version, 0, 1, READ_VERSION_OFFSET) === 1 && version[0] === READ_VERSION_OF_WAL;
  } finally {
    closeSync(descriptor);
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Chooses how to read a file without changing it. In WAL mode SQLite creates an index, and the last connection checkpoints the log. A file with an
 * index may be in use, and is read in place. One without an index is copied to a private folder first, if it has a log or cannot be written.
 */
function readableFile(file: string): ReadableFile {
  const unmoved = { file, remove: () => undefined };
  if (!isInWalMode(file) || existsSync(`${file}-shm`)) return { ...unmoved, mode: 'read-only' };
  if (!hasLog(file) && isWritable(file) && isWritable(dirname(file))) return { ...unmoved, mode: 'query-only' };
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-reading-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(file));
    const endings = ['', '-wal'].filter((ending) => existsSync(`${file}${ending}`));
    for (const ending of endings) copyFileSync(`${file}${ending}`, `${copy}${ending}`, constants.COPYFILE_FICLONE);
    return { file: copy, mode: 'query-only', remove };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

/** Runs scripts synchronously. For programs that serve no requests. */
function readingRunner(connection: SqliteConnection): ScriptRunner {
  const executor = new ScriptExecutor(connection);
  const read = async <T>(script: () => Script<T>): Promise<T> => connection.transaction(() => executor.run(script())).deferred();
  const write = (): Promise<never> => Promise.reject(new Error('the database is open for reading only'));
  return { read, readInSharedThread: (_holder, script) => read(script), readInBackground: read, write };
}

function readerOver(connection: SqliteConnection, remove: () => void): StoreReader {
  const [queries, runner] = [sqliteQueries(), readingRunner(connection)];
  return {
    ledgerAudit: new SqlLedgerAudit(queries, runner),
    statements: new SqlStatementRecords(queries, runner, 'caller'),
    auditTrail: new SqlAuditTrail(queries, runner),
    books: new SqlRequestBooks(queries, runner),
    history: new SqlStoreHistory(queries, runner, () => undefined),
    damage: async () => {
      const lines = connection.prepare<[], string>('PRAGMA integrity_check(100)').pluck().all();
      return lines.filter((line) => line !== 'ok');
    },
    close: async () => {
      connection.close();
      remove();
    },
  };
}

function requireSchema(file: string, connection: SqliteConnection): void {
  const hasSteps = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(MIGRATION_TABLE) !== undefined;
  if (!hasSteps) throw new MissingDatabaseError(`the file ${resolve(file)}`);
  const applied = connection.prepare<[], string>(`SELECT name FROM ${MIGRATION_TABLE}`).pluck().all();
  requireCurrentSchema(`the file ${resolve(file)}`, compareSteps(applied, Object.keys(SQLITE_MIGRATIONS)));
}

function openReadable(file: string): StoreReader {
  const { file: readable, mode, remove } = readableFile(file);
  let connection: SqliteConnection | null = null;
  try {
    connection = new Database(readable, { readonly: mode === 'read-only', fileMustExist: true, timeout: WAIT_MILLISECONDS }).defaultSafeIntegers(true);
    connection.pragma('query_only = ON');
    requireSchema(file, connection);
    return readerOver(connection, remove);
  } catch (thrown) {
    connection?.close();
    remove();
    throw thrown;
  }
}

/**
 * Opens a database file for reading, also on a read-only disk, and does not change it. Throws `MissingDatabaseError`, `UnusableSchemaError` for
 * another schema version, and otherwise `DatabaseUnavailableError` with the message of SQLite or the system.
 */
export function openSqliteReader(file: string): StoreReader {
  if (!existsSync(file) || statSync(file).size === 0) throw new MissingDatabaseError(`the file ${resolve(file)}`);
  try {
    return openReadable(file);
  } catch (thrown) {
    throw errorCodeOf(thrown) !== null ? new DatabaseUnavailableError(`file ${resolve(file)}`, thrown) : thrown;
  }
}
