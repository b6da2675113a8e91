import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type AccountId, type Ledger, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { TOKEN_COLUMNS, USAGE_COLUMNS, usageValues } from './usage-columns.js';

export interface Growth {
  readonly accounts: number;
  /** Number of keys: fewer than the accounts, or a multiple of their number. */
  readonly keys: number;
  /** Number of usage records; if not 0, every account needs a key. */
  readonly usageRows: number;
}

interface GrownDatabase {
  /** File of the database, which is kept. If it exists, it must have this growth. */
  readonly file: string;
  readonly growth: Growth;
}

const ids = new RandomIds();
const hasher = new Sha256Hasher();

/** Fills the database unless the file exists. Returns secrets of keys of different accounts, spread over the database. */
export async function prepareDatabase({ file, growth }: GrownDatabase, accounts: number): Promise<readonly string[]> {
  const exists = existsSync(file);
  await withStore(file, async () => {});
  if (!exists) growDatabase(file, growth);
  const keys = spreadKeys(growth, accounts);
  await withStore(file, (store) => creditAccounts(store, keys.map(({ accountId }) => accountId)));
  return claimKeys(file, keys);
}

async function withStore(file: string, work: (store: { readonly ledger: Ledger }) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ file, clock: new SystemClock(), processId: ids.processId() });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** Credit of each account in service tokens, more than any load uses. */
export const BENCH_CREDIT = '1000000000';

export async function creditAccounts({ ledger }: { readonly ledger: Ledger }, accountIds: readonly AccountId[]): Promise<void> {
  const amount = ServiceTokens.parse(BENCH_CREDIT);
  for (const accountId of accountIds) await ledger.credit({ accountId, amount, reference: 'bench', actor: SYSTEM_ACTOR, at: new SystemClock().now() });
}

/** Gives existing keys new secrets, and returns these. Throws if a key does not exist. No process may have the database open. */
export function claimKeys(file: string, keys: readonly GrownKey[]): readonly string[] {
  const database = new Database(file);
  try {
    const claim = database.prepare('UPDATE api_keys SET hash = ? WHERE id = ? AND account_id = ?');
    return database.transaction(() => keys.map(({ keyId, accountId }) => {
      const secret = ids.apiKeySecret();
      if (claim.run(hasher.hash(secret), keyId, accountId).changes !== 1) throw new Error(`There is no ${keyId} of ${accountId} in ${file}. Was it filled with another --growth?`);
      return secret.reveal();
    }))();
  } finally {
    database.close();
  }
}

interface GrownKey {
  readonly keyId: string;
  readonly accountId: AccountId;
}

/** Up to `wanted` keys of different accounts, spread over the database. */
export function spreadKeys({ accounts, keys }: Growth, wanted: number): readonly GrownKey[] {
  const count = Math.min(wanted, accounts, keys);
  return Array.from({ length: count }, (_none, position) => {
    if (keys < accounts) {
      const key = Math.floor((position * keys) / count);
      return { keyId: grownKeyId(key), accountId: grownAccountId(Math.floor((key * accounts) / keys)) };
    }
    const account = Math.floor((position * accounts) / count);
    const turn = Math.floor((position * Math.floor(keys / accounts)) / count);
    return { keyId: grownKeyId(account + accounts * turn), accountId: grownAccountId(account) };
  });
}

/** Fills a database by SQL with accounts, keys and settled requests. No process may have it open. An interruption leaves it unusable. */
export function growDatabase(file: string, growth: Growth): void {
  const database = new Database(file);
  try {
    // Durability is not needed, and a log would become as large as the database.
    for (const setting of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'foreign_keys = OFF', `cache_size = ${CACHE_KIBIBYTES}`]) database.pragma(setting);
    const putIndexesBack = withoutIndexes(database);
    insertAll(database, growth);
    putIndexesBack();
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
}

function insertAll(database: Database.Database, growth: Growth): void {
  const { accounts, keys, usageRows } = growth;
  const insert = (sql: string) => {
    const statement = database.prepare(sql);
    const given = Object.entries({ ...growth, firstAt: FIRST_AT }).filter(([name]) => sql.includes(`@${name}`));
    // As bigints, since better-sqlite3 binds numbers as floats, which would change divisions.
    const used = Object.fromEntries(given.map(([name, value]) => [name, BigInt(value)]));
    return (from: number, to: number) => void statement.run({ from: BigInt(from), to: BigInt(to), ...used });
  };
  inBatches(accounts, insert(ACCOUNTS));
  for (const rows of [CREDITS, EVENTS]) inBatches(accounts, insert(rows));
  database.exec('UPDATE event_feed SET last_position = (SELECT count(*) FROM events)');
  inBatches(keys, insert(KEYS));
  for (const rows of [RESERVATIONS, ENTRIES, RECORDS]) inBatches(usageRows, insert(rows));
  database.exec(DAYS);
}

function inBatches(count: number, insert: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += BATCH_ROWS) insert(from, Math.min(count, from + BATCH_ROWS) - 1);
}

/** Drops the indexes that the inserts do not use, because creating them afterwards is faster. Returns a function that creates them. */
export function withoutIndexes(database: Database.Database): () => void {
  const indexes = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").all() as { name: string; sql: string }[];
  for (const { name } of indexes) database.exec(`DROP INDEX "${name}"`);
  return () => indexes.forEach(({ sql }) => database.exec(sql));
}

const ID_DIGITS = 24;

export function grownAccountId(position: number): AccountId {
  return numbered('acct', position) as AccountId;
}

export function grownKeyId(position: number): string {
  return numbered('key', position);
}

function numbered(prefix: string, position: number): string {
  return `${prefix}_${String(position).padStart(ID_DIGITS, '0')}`;
}

/** Number of rows inserted at a time, which bounds the memory. */
const BATCH_ROWS = 200_000;
const FIRST_AT = 1_700_000_000_000;
const CHARGE = 1000;
/** Top-up of each account in micro-units, enough for a million requests. */
const TOP_UP = 1_000_000_000;
const UNITS_PER_TOKEN = 1_000_000;
/** Cache of SQLite, in KiB because it is negative. Most of it is for sorting the indexes. */
const CACHE_KIBIBYTES = -1_000_000;

/** SQL for one row for each number from `@from` to `@to`. */
const NUMBERS = 'WITH RECURSIVE numbers(n) AS (SELECT @from UNION ALL SELECT n + 1 FROM numbers WHERE n < @to)';
/** SQL for the account of a row. Accounts alternate, so that the rows of each are spread over the table, as in production. */
const ACCOUNT_OF_NUMBER = "printf('acct_%024d', n % @accounts)";
/** SQL for the account of a key; `spreadKeys` computes the same. */
const ACCOUNT_OF_KEY = "printf('acct_%024d', CASE WHEN @keys < @accounts THEN n * @accounts / @keys ELSE n % @accounts END)";
const KEY_OF_REQUEST = "printf('key_%024d', n % (@accounts * (@keys / @accounts)))";
const DAY_OF_NUMBER = "date(@firstAt / 1000 + n % 31536000, 'unixepoch')";
const TOKENS = TOKEN_COLUMNS.join(', ');

/** SQL for a balance: the top-up minus all charges, so that the books balance. */
const BALANCE = `${TOP_UP} - ${CHARGE} * ((@usageRows - n - 1 + @accounts) / @accounts)`;

const ACCOUNTS = `INSERT INTO accounts (id, email, email_folded, name, plan_id, status, email_verified, blocked, created_at, updated_at, balance, reserved, event_sequence)
  ${NUMBERS} SELECT printf('acct_%024d', n), printf('user%d@example.com', n), printf('user%d@example.com', n), 'Seeded', 'bench', 'active', 1, 0,
  @firstAt + n, @firstAt + n, ${BALANCE}, 0, 1 FROM numbers`;

const CREDITS = `INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, reference, at, day)
  ${NUMBERS} SELECT 'top-up', 'system:top-ups', ${ACCOUNT_OF_NUMBER}, ${TOP_UP}, 'seeded', @firstAt, date(@firstAt / 1000, 'unixepoch') FROM numbers`;

/** SQL that inserts the events of the top-ups, already in the feed. */
const EVENTS = `INSERT INTO events (id, type, account_id, account_sequence, occurred_at, data, position)
  ${NUMBERS} SELECT printf('evt_%024d', n), 'balance.booked', ${ACCOUNT_OF_NUMBER}, 1, @firstAt,
  json_object('kind', 'top-up', 'amount', '${TOP_UP / UNITS_PER_TOKEN}', 'balance', '${TOP_UP / UNITS_PER_TOKEN}', 'reference', 'seeded', 'request_id', NULL), n + 1 FROM numbers`;

const KEYS = `INSERT INTO api_keys (id, account_id, name, hash, hint, created_at, updated_at, expires_at, revoked_at, last_used_at, blocked, replaces)
  ${NUMBERS} SELECT printf('key_%024d', n), ${ACCOUNT_OF_KEY}, 'seeded', lower(hex(randomblob(32))), 'sk-seeded', @firstAt + n, @firstAt + n,
  NULL, NULL, NULL, 0, NULL FROM numbers`;

const RESERVATIONS = `INSERT INTO reservations (id, account_id, owner_id, amount, state, facts, progress, created_at, expires_at)
  ${NUMBERS} SELECT printf('rsv_%024d', n), ${ACCOUNT_OF_NUMBER}, 'proc_seeded', ${CHARGE}, 'settled', '{}', NULL, @firstAt + n, @firstAt + n FROM numbers`;

const ENTRIES = `INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  ${NUMBERS} SELECT 'charge', ${ACCOUNT_OF_NUMBER}, 'system:revenue', ${CHARGE}, printf('req_%024d', n), printf('rsv_%024d', n), @firstAt + n,
  ${DAY_OF_NUMBER} FROM numbers`;

const RECORDS = `INSERT INTO usage_records (request_id, reservation_id, account_id, key_id, format, streamed, requested_model, attribution, usd_rate,
    started_at, ${USAGE_COLUMNS}, charge, write_off, end_reason, served_by, fallback_used, usage_source, first_output_at, ended_at, settled_at, day)
  ${NUMBERS} SELECT printf('req_%024d', n), printf('rsv_%024d', n), ${ACCOUNT_OF_NUMBER}, ${KEY_OF_REQUEST}, 'chat', 0, 'bench-whole', NULL,
  '0.001', @firstAt + n, ${usageValues({ uncached_prompt: '100', visible_output: '50' })}, ${CHARGE}, 0, 'completed', 'bench-whole', 0, 'reported',
  @firstAt + n, @firstAt + n, @firstAt + n, ${DAY_OF_NUMBER} FROM numbers`;

/** SQL that inserts the daily sums of the records. There are none by user, because no request names one. */
const DAYS = `INSERT INTO usage_daily (account_id, day, model, key_id, usd_rate, requests, ${TOKENS}, charge)
  SELECT account_id, day, served_by, key_id, usd_rate, count(*), ${TOKEN_COLUMNS.map((tokens) => `sum(${tokens})`).join(', ')}, sum(charge)
  FROM usage_records WHERE requested_model = 'bench-whole' GROUP BY account_id, day, served_by, key_id, usd_rate`;
