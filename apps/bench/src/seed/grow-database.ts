import Database from 'better-sqlite3';

/** How much is in a database besides what the bench itself uses. */
export interface Growth {
  readonly accounts: number;
  readonly keys: number;
  readonly usageRows: number;
}

/** Enough rows at a time to be quick about it, few enough to stay in memory. */
const BATCH_ROWS = 200_000;
const FIRST_AT = 1_700_000_000_000;

/** Numbers from `@from` to `@to`, each made into one row. */
const NUMBERS = 'WITH RECURSIVE numbers(n) AS (SELECT @from UNION ALL SELECT n + 1 FROM numbers WHERE n < @to)';
const ACCOUNT_OF_NUMBER = "printf('acct_%024d', n % @accounts)";
const DAY_OF_NUMBER = "date(@firstAt / 1000 + n % 31536000, 'unixepoch')";

const ACCOUNTS = `INSERT INTO accounts (id, email, email_folded, name, plan_id, status, email_verified, blocked, created_at, balance, reserved)
  ${NUMBERS} SELECT printf('acct_%024d', n), printf('user%d@example.com', n), printf('user%d@example.com', n), 'Seeded', 'bench', 'active', 1, 0,
  @firstAt + n, 0, 0 FROM numbers`;

const KEYS = `INSERT INTO api_keys (id, account_id, name, hash, hint, created_at, expires_at, revoked_at, last_used_at, blocked, replaces)
  ${NUMBERS} SELECT 'key_' || hex(randomblob(12)), ${ACCOUNT_OF_NUMBER}, 'seeded', lower(hex(randomblob(32))), 'sk-seeded', @firstAt + n,
  NULL, NULL, NULL, 0, NULL FROM numbers`;

const RESERVATIONS = `INSERT INTO reservations (id, account_id, owner_id, amount, state, facts, progress, created_at, expires_at)
  ${NUMBERS} SELECT printf('rsv_%024d', n), ${ACCOUNT_OF_NUMBER}, 'proc_seeded', 1000, 'settled', '{}', NULL, @firstAt + n, @firstAt + n FROM numbers`;

const ENTRIES = `INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, request_id, reservation_id, at, day)
  ${NUMBERS} SELECT 'charge', ${ACCOUNT_OF_NUMBER}, 'system:revenue', 1000, printf('req_%024d', n), printf('rsv_%024d', n), @firstAt + n,
  ${DAY_OF_NUMBER} FROM numbers`;

const RECORDS = `INSERT INTO usage_records (request_id, reservation_id, account_id, key_id, format, streamed, requested_model, attribution, usd_rate,
    started_at, uncached_prompt_tokens, cached_prompt_tokens, cache_creation_tokens, reasoning_tokens, visible_output_tokens, charge, write_off,
    end_reason, served_by, fallback_used, price_prompt, price_cached_prompt, price_cache_creation, price_output, usage_source, first_output_at,
    ended_at, day)
  ${NUMBERS} SELECT printf('req_%024d', n), printf('rsv_%024d', n), ${ACCOUNT_OF_NUMBER}, 'key_' || hex(randomblob(12)), 'chat', 0, 'bench-whole', NULL,
  '0.001', @firstAt + n, 100, 0, 0, 0, 50, 1000, 0, 'completed', 'bench-whole', 0, '0.0004', '0.00004', '0.0004', '0.0012', 'reported',
  @firstAt + n, @firstAt + n, ${DAY_OF_NUMBER} FROM numbers`;

function inBatches(count: number, insert: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += BATCH_ROWS) insert(from, Math.min(count, from + BATCH_ROWS) - 1);
}

/** Fills a database that no process has open with accounts, keys and settled requests, straight by SQL. */
export function growDatabase(file: string, { accounts, keys, usageRows }: Growth): void {
  const database = new Database(file);
  try {
    database.pragma('synchronous = OFF');
    const insert = (sql: string) => {
      const statement = database.prepare(sql);
      const parameters = sql.includes('@accounts') ? { accounts, firstAt: FIRST_AT } : { firstAt: FIRST_AT };
      return (from: number, to: number) => void statement.run({ from, to, ...parameters });
    };
    inBatches(accounts, insert(ACCOUNTS));
    inBatches(keys, insert(KEYS));
    const requests = [RESERVATIONS, ENTRIES, RECORDS].map(insert);
    inBatches(usageRows, (from, to) => requests.forEach((request) => request(from, to)));
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}
