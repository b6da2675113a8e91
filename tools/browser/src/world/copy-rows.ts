import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Instant, TOKEN_COUNTS } from '@tollgate/core';
import { countColumn } from '@tollgate/sql-common';
import type { World } from './open-world.js';

/** SQL expressions for columns, by name; in them, `n` is the number of the copy, from 1. */
export type OwnColumns = Readonly<Record<string, string>>;

interface Copies {
  readonly table: string;
  /** Column and value that identify the row to copy. */
  readonly id: { readonly column: string; readonly value: string };
  readonly count: number;
  /** Columns in which the copies differ from the row; all others are equal. */
  readonly own: OwnColumns;
}

/** Runs `change` on the database, which no gateway may have open. Foreign keys are not checked. */
export function withDatabase({ folder }: World, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(folder, 'tollgate.db'), { enableForeignKeyConstraints: false });
  try {
    // Durability is not needed, and a log would become as large as the database.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
    change(database);
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

/** Drops the indexes of a table, because creating them after the inserts is faster. Returns a function that creates them. */
function withoutIndexes(database: DatabaseSync, table: string): () => void {
  const indexes = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL").all(table);
  for (const { name } of indexes) database.exec(`DROP INDEX "${String(name)}"`);
  return () => indexes.forEach(({ sql }) => database.exec(String(sql)));
}

/** Copies a row; SQLite assigns each copy a new value of `seq`. */
export function copyRows(database: DatabaseSync, { table, id, count, own }: Copies): void {
  const putIndexesBack = withoutIndexes(database, table);
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table).map(({ name }) => String(name)).filter((name) => name !== 'seq');
  database.prepare(`INSERT INTO ${table} (${columns.join(', ')})
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
    SELECT ${columns.map((name) => own[name] ?? name).join(', ')} FROM numbers, (SELECT * FROM ${table} WHERE ${id.column} = @id)`).run({ '@id': id.value, '@count': BigInt(count) });
  putIndexesBack();
}

const TOKENS = TOKEN_COUNTS.map(countColumn);

function sumBy(groups: string): string {
  return `SELECT ${groups}, usd_rate, count(*), ${TOKENS.map((name) => `sum(${name})`).join(', ')}, sum(charge) FROM usage_records`;
}

const SUM_DAYS = `DELETE FROM usage_daily; DELETE FROM usage_daily_users;
  INSERT INTO usage_daily (account_id, day, model, key_id, usd_rate, requests, ${TOKENS.join(', ')}, charge)
    ${sumBy("account_id, day, coalesce(served_by, ''), coalesce(key_id, '')")} GROUP BY 1, 2, 3, 4, 5;
  INSERT INTO usage_daily_users (account_id, day, attribution, usd_rate, requests, ${TOKENS.join(', ')}, charge)
    ${sumBy('account_id, day, attribution')} WHERE attribution IS NOT NULL GROUP BY 1, 2, 3, 4`;

interface RecordCopies {
  /** Id of the request whose record is copied. */
  readonly requestId: string;
  readonly count: number;
  /** Beginning of the time over which the copies are spread evenly. */
  readonly from: Instant;
  readonly to: Instant;
  readonly own?: OwnColumns;
}

/**
 * Copies a usage record, and computes the daily sums again. The copies have no reservations and no ledger entries, so tests can only read their
 * usage.
 */
export function copyRecords(database: DatabaseSync, { requestId, count, from, to, own = {} }: RecordCopies): void {
  const at = `(${from} + n * ${Math.floor((to - from) / (count + 1))})`;
  copyRows(database, {
    table: 'usage_records', id: { column: 'request_id', value: requestId }, count,
    own: { request_id: "printf('req_%022d', n)", reservation_id: "printf('rsv_%022d', n)", started_at: at, ended_at: at, day: `date(${at} / 1000, 'unixepoch')`, ...own },
  });
  database.exec(SUM_DAYS);
}

/** Copies a usage record as `copyRecords` does, in a world's database that no gateway has open. */
export function copyRecord(world: World, copies: RecordCopies): void {
  withDatabase(world, (database) => copyRecords(database, copies));
}
