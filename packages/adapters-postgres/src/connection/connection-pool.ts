import { setTimeout as delay } from 'node:timers/promises';
import {
  Client, type ClientBase, type ClientConfig, type CustomTypesConfig, DatabaseError, Pool, type PoolClient, type QueryConfig,
  type QueryResult, types,
} from 'pg';
import { ConnectionLostError, isTransient } from './retry.js';

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
type Patience = 'short' | 'long';

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

/** One connection, for as long as a task has it. */
export interface Session {
  /** Throws `DatabaseError` when the database refuses, and `ConnectionLostError` when nobody can tell what it did. */
  query(query: QueryConfig | string): Promise<QueryResult>;
  /** Several statements in one round trip; answers with each one's result. */
  queries(statements: string): Promise<readonly QueryResult[]>;
}

async function asked<Result>(client: ClientBase, query: QueryConfig | string): Promise<Result> {
  try {
    // One statement gives one result and several give several, which the driver's types do not tell apart.
    return await client.query(query) as unknown as Result;
  } catch (thrown) {
    throw thrown instanceof DatabaseError ? thrown : new ConnectionLostError(thrown);
  }
}

export function sessionOn(client: ClientBase): Session {
  return {
    query: (query) => asked<QueryResult>(client, query),
    queries: (statements) => asked<readonly QueryResult[]>(client, statements),
  };
}

const PATIENCE_MILLISECONDS = 2_000;

/** Waits for a good-bye, but not for ever: behind a network that has gone silent nobody answers it. */
export async function withTimeout(goodbye: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const patience = delay(PATIENCE_MILLISECONDS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([goodbye, patience]);
  waiting.abort();
}

const IDLE_MILLISECONDS = 60_000;

/** A bounded number of connections, opened when they are needed and replaced when they break. */
export class ConnectionPool {
  private readonly pool: Pool;
  /** Connections that have their settings. */
  private readonly prepared = new WeakSet<PoolClient>();

  constructor(url: string, readonly size: number) {
    this.pool = new Pool({ ...clientConfig(url, 'short'), max: size, idleTimeoutMillis: IDLE_MILLISECONDS });
    // A connection that breaks is replaced by the next one. Its user sees the error of its query; without a listener the process would end.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', () => undefined);
  }

  /** Waits for a connection, and takes it back when the task is done. One that failed is closed, and so is what it had begun. */
  async use<T>(task: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const session = sessionOn(client);
      if (!this.prepared.has(client)) await session.query(sessionSettings('short'));
      this.prepared.add(client);
      const result = await task(session);
      client.release();
      return result;
    } catch (thrown) {
      client.release(isTransient(thrown));
      throw thrown;
    }
  }

  close(): Promise<void> {
    return withTimeout(this.pool.end());
  }

  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (thrown) {
      throw thrown instanceof DatabaseError ? thrown : new ConnectionLostError(thrown);
    }
  }
}

/** Opens a connection outside the pools, for its caller to close. */
export async function openClient(url: string, patience: Patience): Promise<Client> {
  const client = new Client(clientConfig(url, patience));
  // A query reports the end of the connection; without a listener the process would end too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionSettings(patience));
    return client;
  } catch (thrown) {
    await withTimeout(client.end());
    throw thrown;
  }
}

/** Undoes what the session has begun when the task fails, unless that is the end of the session anyway. */
export async function undoing<T>(session: Session, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (thrown) {
    if (!isTransient(thrown)) await session.query('rollback');
    throw thrown;
  }
}

/** Runs a task in a transaction that begins as told. */
export async function inTransaction<T>(session: Session, begin: string, task: () => Promise<T>): Promise<T> {
  await session.query(begin);
  return undoing(session, async () => {
    const result = await task();
    await session.query('commit');
    return result;
  });
}
