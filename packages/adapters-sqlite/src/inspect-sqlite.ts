import Database from 'better-sqlite3';
import { compareSteps, type InspectedDatabase, INSTALLATION_STEP, MIGRATION_TABLE } from '@tollgate/sql-common';
import { requireDatabase, type SqliteConnection } from './file/sqlite-connection.js';
import { sqliteMigrations } from './schema/migrate-sqlite.js';

const INSPECTION_WAIT_MILLISECONDS = 5_000;

/** Reads which steps a database has, and changes nothing. Throws `MissingDatabaseError` and what SQLite says against the file. */
export function inspectSqlite(file: string): InspectedDatabase {
  requireDatabase(file);
  const connection = new Database(file, { timeout: INSPECTION_WAIT_MILLISECONDS, fileMustExist: true });
  try {
    const applied = connection.prepare<[], string>(`SELECT name FROM ${MIGRATION_TABLE}`).pluck().all();
    return {
      outcome: 'inspected',
      ...compareSteps(applied, Object.keys(sqliteMigrations(connection))),
      fingerprint: applied.includes(INSTALLATION_STEP) ? fingerprintIn(connection) : null,
      clockAheadMilliseconds: null,
    };
  } finally {
    connection.close();
  }
}

function fingerprintIn(connection: SqliteConnection): string | null {
  return connection.prepare<[], string>('SELECT fingerprint FROM installation').pluck().get() ?? null;
}
