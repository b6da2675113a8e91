import type { NamedValues, SqliteConnection, SqliteStatement } from './sqlite-connection.js';

const ENDING_COLUMNS = [
  'end_reason', 'served_by', 'fallback_used', 'price_prompt', 'price_cached_prompt', 'price_cache_creation', 'price_output',
  'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens',
  'usage_source', 'first_output_at', 'ended_at', 'day', 'charge', 'write_off',
] as const;

const RECORD_COLUMNS = [
  'request_id', 'reservation_id', 'account_id', 'key_id', 'format', 'streamed', 'requested_model', 'attribution', 'usd_rate', 'started_at',
  ...ENDING_COLUMNS,
] as const;

const LATE_COLUMNS = ['reservation_id', 'account_id', ...ENDING_COLUMNS] as const;

const SUMMED_COLUMNS = [
  'requests', 'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens', 'charge',
] as const;

function insertion(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`;
}

/** Inserts a sum, or adds to the one that is there. */
function addition(table: string, groups: readonly string[]): string {
  const keys = ['account_id', 'day', ...groups, 'usd_rate'];
  const sums = SUMMED_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`);
  return `${insertion(table, [...keys, ...SUMMED_COLUMNS])} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${sums.join(', ')}`;
}

/** Every statement that records usage. */
export interface UsageStatements {
  readonly insertRecord: SqliteStatement<[NamedValues]>;
  readonly insertLate: SqliteStatement<[NamedValues]>;
  readonly addToDay: SqliteStatement<[NamedValues]>;
  readonly addToUserDay: SqliteStatement<[NamedValues]>;
}

/** Prepared once, since they are what every settlement runs. */
export function prepareUsage(connection: SqliteConnection): UsageStatements {
  return {
    insertRecord: connection.prepare(insertion('usage_records', RECORD_COLUMNS)),
    insertLate: connection.prepare(insertion('late_settlements', LATE_COLUMNS)),
    addToDay: connection.prepare(addition('usage_daily', ['model', 'key_id'])),
    addToUserDay: connection.prepare(addition('usage_daily_users', ['attribution'])),
  };
}
