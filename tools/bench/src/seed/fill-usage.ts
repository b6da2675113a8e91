import { type AccountId, type Instant, instant, later, MILLISECONDS_PER_DAY } from '@tollgate/core';
import Database from 'better-sqlite3';
import { withoutIndexes } from './grow-database.js';
import { TOKEN_COLUMNS, USAGE_COLUMNS, usageValues } from './usage-columns.js';

export const USAGE_ACCOUNTS = 50;
/** Number of days over which the records are spread evenly. */
const USAGE_DAYS = 365;
export const FIRST_END: Instant = instant(Date.UTC(2026, 0, 1));
export const LAST_END: Instant = later(FIRST_END, USAGE_DAYS * MILLISECONDS_PER_DAY);

const BATCH_ROWS = 200_000;
/** Cache of SQLite, in KiB because it is negative. Most of it is for sorting the indexes. */
const CACHE_KIBIBYTES = -1_000_000;

export function usageAccountId(position: number): AccountId {
  return `acct_${String(position % USAGE_ACCOUNTS).padStart(24, '0')}` as AccountId;
}

const ENDED_AT = `(${FIRST_END} + n * ${LAST_END - FIRST_END} / @records)`;
const ACCOUNT = `printf('acct_%024d', n % ${USAGE_ACCOUNTS})`;
/** SQL for a key's id. Each account uses two keys and two models, in all four pairs on every day. */
const KEY = `printf('key_%024d', n % ${2 * USAGE_ACCOUNTS})`;
const MODEL = `'model-' || (n / ${2 * USAGE_ACCOUNTS} % 2)`;
const TOKENS = TOKEN_COLUMNS.join(', ');

const RECORDS = `INSERT INTO usage_records (request_id, reservation_id, account_id, key_id, format, streamed, requested_model, attribution, usd_rate,
    started_at, ${USAGE_COLUMNS}, charge, write_off, end_reason, served_by, fallback_used, usage_source, first_output_at, ended_at, settled_at, day)
  WITH RECURSIVE numbers(n) AS (SELECT @from UNION ALL SELECT n + 1 FROM numbers WHERE n < @to)
  SELECT printf('req_%024d', n), printf('rsv_%024d', n), ${ACCOUNT}, ${KEY}, 'chat', 1, ${MODEL}, CASE n % 2 WHEN 0 THEN 'user-' || (n % 1000) END,
    '0.001', ${ENDED_AT} - 900, ${usageValues({ uncached_prompt: '100 + n % 900', visible_output: '50 + n % 500' })}, 1000 + n % 7000, 0, 'completed', ${MODEL}, 0,
    'reported', ${ENDED_AT} - 500, ${ENDED_AT}, ${ENDED_AT}, date(${ENDED_AT} / 1000, 'unixepoch') FROM numbers`;

/** SQL that inserts accounts, because sums over all accounts look up each of them. */
const ACCOUNTS = `INSERT INTO accounts (id, email, email_folded, name, plan_id, status, email_verified, blocked, created_at, updated_at, balance, reserved)
  WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${USAGE_ACCOUNTS - 1})
  SELECT ${ACCOUNT}, printf('user%d@example.com', n), printf('user%d@example.com', n), 'Seeded', 'bench', 'active', 1, 0, ${FIRST_END}, ${FIRST_END}, 0, 0 FROM numbers`;

const SUMS = ['count(*)', ...TOKEN_COLUMNS.map((name) => `sum(${name})`), 'sum(charge)'].join(', ');
const DAYS = `INSERT INTO usage_daily (account_id, day, model, key_id, usd_rate, requests, ${TOKENS}, charge)
  SELECT account_id, day, served_by, key_id, usd_rate, ${SUMS} FROM usage_records GROUP BY 1, 2, 3, 4, 5`;

/** Fills the usage tables by SQL. There are no reservations and no ledger entries, so the database can only be used to read usage. */
export function fillUsage(file: string, records: number): void {
  const database = new Database(file);
  try {
    for (const setting of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'foreign_keys = OFF', `cache_size = ${CACHE_KIBIBYTES}`]) database.pragma(setting);
    const putIndexesBack = withoutIndexes(database);
    const insert = database.prepare(RECORDS);
    for (let from = 0; from < records; from += BATCH_ROWS) {
      // As bigints, since better-sqlite3 binds numbers as floats.
      insert.run({ from: BigInt(from), to: BigInt(Math.min(records, from + BATCH_ROWS) - 1), records: BigInt(records) });
    }
    database.exec(ACCOUNTS);
    database.exec(DAYS);
    putIndexesBack();
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
}

export function filledRecords(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare('SELECT coalesce(max(seq), 0) FROM usage_records').pluck().get() as number;
  } finally {
    database.close();
  }
}
