import { setTimeout as delay } from 'node:timers/promises';
import { storeRefusal, StoreUnavailable } from '@tollgate/core';
import {
  Client, type ClientBase, type ClientConfig, type CustomTypesConfig, DatabaseError, Pool, type PoolClient, type QueryConfig,
  type QueryResult, types,
} from 'pg';

/** The connection failed; the outcome of the statement is unknown. */
export class ConnectionLostError extends StoreUnavailable {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super(cause, 'the connection to the database was lost');
  }
}

/** Passing errors: the server closes the connection, or a transaction was rolled back. */
const PASSING = /^(08...|40001|40P01|53300|57P0[1-5]|25P0[34])$/;
/** Connection, authorisation, transaction, rights, resources, operator intervention, system and internal errors. */
const STORE_CLASSES = /^(08|28|3D|40|53|55P03|57|58|F0|XX|25006|42501)/;
const STOOD_IN_LINE: ReadonlySet<string> = new Set(['55P03', '57014']);

/** `null` for other errors. */
export function sqlStateOf(thrown: unknown): string | null {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError ? refusal.code ?? null : null;
}

/** Converts errors of a server that is away, full, shutting down, read-only or locked; statement errors stay. */
function storeFailure(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailable) return thrown;
  return STORE_CLASSES.test(sqlStateOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}

/** Reported if a migration changed the result of a prepared statement; the message may be translated. */
const REVALIDATION = 'RevalidateCachedQuery';

/** True if a prepared statement is older than the schema. It had no effect, and a new connection can run it. */
function isStalePlan(thrown: unknown): boolean {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError && refusal.code === '0A000' && refusal.routine === REVALIDATION;
}

/** May succeed when repeated. It may have succeeded already. */
export function isTransient(thrown: unknown): boolean {
  return thrown instanceof ConnectionLostError || isStalePlan(thrown) || PASSING.test(sqlStateOf(thrown) ?? '');
}

/** A lock timeout; nothing has happened. */
export function hasWaitedTooLong(thrown: unknown): boolean {
  return STOOD_IN_LINE.has(sqlStateOf(thrown) ?? '');
}

const FIRST_PAUSE_MILLISECONDS = 5;
const MAX_PAUSE_MILLISECONDS = 500;
/** Then a request had better fail. */
const MAX_RETRY_MILLISECONDS = 10_000;

/** Bounded exponential backoff: deadlocks pass at once, server restarts take seconds. */
function pauseBefore(attempt: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, MAX_PAUSE_MILLISECONDS);
}

/** As `performance.now()`. */
export function deadlineFromNow(): number {
  return performance.now() + MAX_RETRY_MILLISECONDS;
}

/** Throws for permanent errors and after the deadline. */
async function pauseIfPassing(thrown: unknown, attempt: number, deadline: number): Promise<void> {
  if (!isTransient(thrown)) throw storeFailure(thrown);
  if (performance.now() > deadline) throw storeRefusal(thrown);
  await delay(pauseBefore(attempt));
}

/** Retries passing errors until the deadline. For idempotent tasks only. */
export async function retryTransient<T>(task: () => Promise<T>, deadline = deadlineFromNow()): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (thrown) {
      await pauseIfPassing(thrown, attempt, deadline);
    }
  }
}

const WHOLE_NUMBER_TYPES: ReadonlySet<number> = new Set([types.builtins.INT2, types.builtins.INT4, types.builtins.INT8]);

function toBigInt(text: string): bigint {
  return BigInt(text);
}

/** Integers of every width as `bigint`, as in the schema. */
const WHOLE_NUMBERS: CustomTypesConfig = {
  getTypeParser: (type, format) => (WHOLE_NUMBER_TYPES.has(type) ? toBigInt : types.getTypeParser(type, format)),
};

const CONNECTING_MILLISECONDS = 3_000;
const STATEMENT_MILLISECONDS = 5_000;
const LOCK_MILLISECONDS = 2_000;
const IDLE_IN_TRANSACTION_MILLISECONDS = 10_000;
/** Exceeds the server's own timeout, for an unresponsive server or network. */
const SILENCE_MILLISECONDS = STATEMENT_MILLISECONDS + 2_000;

/** `short` for requests; `long` for tasks of minutes, such as verifying the books. */
type StatementTime = 'short' | 'long';

/** The URL may contain further parameters, such as `sslmode`. */
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

/** Sent first on every connection: acknowledged commits survive power failures, conditions see current rows, and everything has a timeout. */
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

export interface Session {
  /** Throws `DatabaseError` for refusals, and `ConnectionLostError` if the outcome is unknown. */
  query(query: QueryConfig | string): Promise<QueryResult>;
  /** In one round trip; returns each result. */
  queries(statements: string): Promise<readonly QueryResult[]>;
}

async function asked<Result>(client: ClientBase, query: QueryConfig | string): Promise<Result> {
  try {
    // Several statements give an array of results, which the driver's types do not say.
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

const CLOSE_TIMEOUT_MILLISECONDS = 2_000;

/** Bounded: a silent network never confirms the end. */
export async function withTimeout(goodbye: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const timeout = delay(CLOSE_TIMEOUT_MILLISECONDS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([goodbye, timeout]);
  waiting.abort();
}

const IDLE_MILLISECONDS = 60_000;

/** Opens connections on demand and replaces broken ones. */
export class ConnectionPool {
  private readonly pool: Pool;
  /** Configured connections, by the schema generation at that time. */
  private readonly prepared = new WeakMap<PoolClient, number>();
  /** Incremented when a prepared statement was outdated: older connections are closed. */
  private generation = 0;

  constructor(url: string, readonly size: number) {
    this.pool = new Pool({ ...clientConfig(url, 'short'), max: size, idleTimeoutMillis: IDLE_MILLISECONDS });
    // The pool replaces a broken connection, and its user gets the query's error. Without a listener, the error would end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', () => undefined);
  }

  /** Waits for a connection. A failed one is closed, which rolls back. */
  async use<T>(task: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const session = sessionOn(client);
      if (!this.prepared.has(client)) await session.query(sessionSettings('short'));
      this.prepared.set(client, this.prepared.get(client) ?? this.generation);
      const result = await task(session);
      client.release();
      return result;
    } catch (thrown) {
      if (isStalePlan(thrown)) this.generation += 1;
      client.release(isTransient(thrown));
      throw thrown;
    }
  }

  close(): Promise<void> {
    return withTimeout(this.pool.end());
  }

  private async connect(): Promise<PoolClient> {
    try {
      let client = await this.pool.connect();
      while (this.isOutdated(client)) {
        client.release(true);
        client = await this.pool.connect();
      }
      return client;
    } catch (thrown) {
      throw thrown instanceof DatabaseError ? thrown : new ConnectionLostError(thrown);
    }
  }

  private isOutdated(client: PoolClient): boolean {
    return (this.prepared.get(client) ?? this.generation) < this.generation;
  }
}

/** Outside the pools; the caller closes it. */
export async function openClient(url: string, time: StatementTime): Promise<Client> {
  const client = new Client(clientConfig(url, time));
  // The query reports the broken connection; without a listener the error would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sessionSettings(time));
    return client;
  } catch (thrown) {
    await withTimeout(client.end());
    throw thrown;
  }
}

/** Rolls back if the task fails. */
export async function undoing<T>(session: Session, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (thrown) {
    if (!isTransient(thrown)) await session.query('rollback');
    throw thrown;
  }
}

export async function inTransaction<T>(session: Session, begin: string, task: () => Promise<T>): Promise<T> {
  await session.query(begin);
  return undoing(session, async () => {
    const result = await task();
    await session.query('commit');
    return result;
  });
}
