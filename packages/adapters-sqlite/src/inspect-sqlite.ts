import Database from 'better-sqlite3';
import { compareSteps, type InspectedDatabase, isCurrent, MIGRATION_TABLE } from '@tollgate/sql-common';
import { requireDatabase } from './file/sqlite-connection.js';
import { SQLITE_MIGRATIONS } from './schema/migrate-sqlite.js';

const OPERATOR = "SELECT id FROM people WHERE role = 'operator' LIMIT 1";
const INSPECTION_WAIT_MILLISECONDS = 5_000;

/** Changes nothing. Throws `MissingDatabaseError`, `DatabaseUnavailableError`, `UnreleasedDatabaseError`, and errors of SQLite. */
export function inspectSqlite(file: string): InspectedDatabase {
  requireDatabase(file);
  const connection = new Database(file, { timeout: INSPECTION_WAIT_MILLISECONDS, fileMustExist: true });
  try {
    const applied = connection.prepare<[], string>(`SELECT name FROM ${MIGRATION_TABLE}`).pluck().all();
    const differences = compareSteps(applied, Object.keys(SQLITE_MIGRATIONS));
    return {
      outcome: 'inspected',
      ...differences,
      hasOperator: isCurrent(differences) ? connection.prepare(OPERATOR).get() !== undefined : null,
      fingerprint: connection.prepare<[], string>('SELECT fingerprint FROM installation').pluck().get() ?? null,
      clockAheadMilliseconds: null,
    };
  } finally {
    connection.close();
  }
}
