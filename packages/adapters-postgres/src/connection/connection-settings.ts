import { type ClientConfig, type CustomTypesConfig, types } from 'pg';

const WHOLE_NUMBER_TYPES: ReadonlySet<number> = new Set([types.builtins.INT2, types.builtins.INT4, types.builtins.INT8]);

function toBigInt(text: string): bigint {
  return BigInt(text);
}

/** Reads whole numbers of every width as `bigint`, as the schema promises; everything else as the driver does. */
const WHOLE_NUMBERS: CustomTypesConfig = {
  getTypeParser: (type, format) => (WHOLE_NUMBER_TYPES.has(type) ? toBigInt : types.getTypeParser(type, format)),
};

const CONNECTING_MILLISECONDS = 3_000;
const STATEMENT_MILLISECONDS = 5_000;
const LOCK_MILLISECONDS = 2_000;
const IDLE_IN_TRANSACTION_MILLISECONDS = 10_000;
/** Later than the server's own limit, for when the server or the network does not answer at all. */
const SILENCE_MILLISECONDS = STATEMENT_MILLISECONDS + 2_000;

/** `short` for what requests wait for; `long` for what may take minutes, such as checking all the books. */
export type Patience = 'short' | 'long';

/** How to connect. The URL may add parameters of its own, such as `sslmode`. */
export function clientConfig(url: string, patience: Patience): ClientConfig {
  return {
    connectionString: url,
    application_name: 'tollgate',
    keepAlive: true,
    connectionTimeoutMillis: CONNECTING_MILLISECONDS,
    types: WHOLE_NUMBERS,
    ...(patience === 'short' ? { query_timeout: SILENCE_MILLISECONDS } : {}),
  };
}

/**
 * What every connection is told first. A commit that was answered survives a loss of power, whatever the server's default;
 * conditions see what is there when they are evaluated; and nothing waits for ever.
 */
export function sessionSettings(patience: Patience): string {
  const isShort = patience === 'short';
  const settings: readonly (readonly [name: string, value: string | number])[] = [
    ['synchronous_commit', 'on'],
    ['default_transaction_isolation', 'read committed'],
    ['statement_timeout', isShort ? STATEMENT_MILLISECONDS : 0],
    ['lock_timeout', isShort ? LOCK_MILLISECONDS : 0],
    ['idle_in_transaction_session_timeout', isShort ? IDLE_IN_TRANSACTION_MILLISECONDS : 0],
  ];
  return `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`;
}
