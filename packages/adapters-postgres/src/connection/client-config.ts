import { type ClientConfig, type CustomTypesConfig, types } from 'pg';

const WHOLE_NUMBER_TYPES: ReadonlySet<number> = new Set([types.builtins.INT2, types.builtins.INT4, types.builtins.INT8]);

function toBigInt(text: string): bigint {
  return BigInt(text);
}

/** Parses integers of every width as `bigint`. */
const WHOLE_NUMBERS: CustomTypesConfig = {
  getTypeParser: (type, format) => (WHOLE_NUMBER_TYPES.has(type) ? toBigInt : types.getTypeParser(type, format)),
};

const CONNECTING_MILLISECONDS = 3_000;
const STATEMENT_MILLISECONDS = 5_000;
const LOCK_MILLISECONDS = 2_000;
const IDLE_IN_TRANSACTION_MILLISECONDS = 10_000;
/** Timeout for a server or network that does not respond; longer than the server's own statement timeout. */
const SILENCE_MILLISECONDS = STATEMENT_MILLISECONDS + 2_000;

/** `short` for requests; `long`, without timeouts, for tasks that take minutes, such as the audit of the ledger. */
export type StatementTime = 'short' | 'long';

export function clientConfig(url: string, time: StatementTime): ClientConfig {
  return {
    connectionString: url,
    application_name: 'tollgate',
    keepAlive: true,
    connectionTimeoutMillis: CONNECTING_MILLISECONDS,
    types: WHOLE_NUMBERS,
    ...(time === 'short' ? { query_timeout: SILENCE_MILLISECONDS } : {}),
  };
}

/**
 * The first statement on every connection. With its settings, acknowledged commits survive power failures, and statements see current rows; `short`
 * connections have timeouts.
 */
export function sessionSettings(time: StatementTime): string {
  const isShort = time === 'short';
  const settings: readonly (readonly [name: string, value: string | number])[] = [
    ['synchronous_commit', 'on'],
    ['default_transaction_isolation', 'read committed'],
    ['statement_timeout', isShort ? STATEMENT_MILLISECONDS : 0],
    ['lock_timeout', isShort ? LOCK_MILLISECONDS : 0],
    ['idle_in_transaction_session_timeout', isShort ? IDLE_IN_TRANSACTION_MILLISECONDS : 0],
  ];
  return `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`;
}
