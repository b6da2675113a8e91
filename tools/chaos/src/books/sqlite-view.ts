import Database from 'better-sqlite3';
import { cellOf, type DatabaseView, type Row, type Stored } from './database-view.js';

const PATIENCE_MILLISECONDS = 2000;

/** Opens a database file to look into it. */
export function viewSqlite(file: string): DatabaseView {
  const connection = new Database(file, { readonly: true, timeout: PATIENCE_MILLISECONDS }).defaultSafeIntegers(true);
  const readAll = connection.transaction((queries: readonly string[]) => queries.map((query) => (
    (connection.prepare(query).raw().all() as Stored[][]).map((row): Row => row.map(cellOf)))));
  return {
    read: (queries) => Promise.resolve().then(() => readAll.deferred(queries)),
    close: () => Promise.resolve(void connection.close()),
  };
}
