import { setTimeout as delay } from 'node:timers/promises';
import { storeRefusal, StoreUnavailable } from '@tollgate/core';
import {
  Client, type ClientBase, type ClientConfig, type CustomTypesConfig, DatabaseError, Pool, type PoolClient, type QueryConfig,
  type QueryResult, types,
} from 'pg';

/** The connection, not the database, failed: the statement may have taken effect or not. */
export class ConnectionLostError extends StoreUnavailable {
  override readonly name = 'ConnectionLostError';

  constructor(cause: unknown) {
    super(cause, 'the connection to the database was lost');
  }
}

/** The server ends the connection, or had to undo a transaction for reasons that are gone when it is tried again. */
const PASSING = /^(08...|40001|40P01|53300|57P0[1-5]|25P0[34])$/;
/** Connection, authorisation, transaction, rights, resources, operator intervention, system and internal errors. */
const STORE_CLASSES = /^(08|28|3D|40|53|55P03|57|58|F0|XX|25006|42501)/;
const STOOD_IN_LINE: ReadonlySet<string> = new Set(['55P03', '57014']);

/** The code that the database gave its refusal; `null` for anything else that was thrown. */
export function sqlStateOf(thrown: unknown): string | null {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError ? refusal.code ?? null : null;
}

/** Tells a server that is away, full, shutting down, read-only or locked up from a mistake in a statement. */
function storeFailure(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailable) return thrown;
  return STORE_CLASSES.test(sqlStateOf(thrown) ?? '') ? new StoreUnavailable(thrown) : thrown;
}

/** Where the server reports that the result of a statement this connection has prepared was changed by a migration; its message may be translated. */
const REVALIDATION = 'RevalidateCachedQuery';

/** True if the connection's prepared statements are older than the schema. The statement had no effect, and a new connection can run it. */
function isStalePlan(thrown: unknown): boolean {
  const refusal = thrown instanceof StoreUnavailable ? thrown.cause : thrown;
  return refusal instanceof DatabaseError && refusal.code === '0A000' && refusal.routine === REVALIDATION;
}

/** Whether the same thing may well succeed at the next attempt. It may have succeeded already. */
export function isTransient(thrown: unknown): boolean {
  return thrown instanceof ConnectionLostError || isStalePlan(thrown) || PASSING.test(sqlStateOf(thrown) ?? '');
}

/** Whether it waited for a lock until its time was up. Nothing has happened then. */
export function hasWaitedTooLong(thrown: unknown): boolean {
  return STOOD_IN_LINE.has(sqlStateOf(thrown) ?? '');
}

const FIRST_PAUSE_MILLISECONDS = 5;
const MAX_PAUSE_MILLISECONDS = 500;
/** Requests wait for their money; after this long they are better told that it fails. */
const MAX_RETRY_MILLISECONDS = 10_000;

/** Grows quickly to a bound: deadlocks pass at once, restarts of a server take seconds. */
function pauseBefore(attempt: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** attempt, MAX_PAUSE_MILLISECONDS);
}

/** When to give up on what is asked for now, on the clock that `performance.now` reads. */
export function deadlineFromNow(): number {
  return performance.now() + MAX_RETRY_MILLISECONDS;
}

/** Waits a little when the reason will pass and there is still time; throws otherwise. */
async function pauseIfPassing(thrown: unknown, attempt: number, deadline: number): Promise<void> {
  if (!isTransient(thrown)) throw storeFailure(thrown);
  if (performance.now() > deadline) throw storeRefusal(thrown);
  await delay(pauseBefore(attempt));
}

/** Repeats what failed for a reason that passes, until a deadline. Only for what may happen twice and count once. */
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
type StatementTime = 'short' | 'long';

/** How to connect. The URL may add parameters of its own, such as `sslmode`. */
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
 * What every connection is told first. A commit that was answered survives a loss of power, whatever the server's default;
 * conditions see what is there when they are evaluated; and nothing waits for ever.
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

/** One connection, for as long as a task has it. */
export interface Session {
  /** Throws `DatabaseError` when the database refuses, and `ConnectionLostError` when the outcome is unknown. */
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

const CLOSE_TIMEOUT_MILLISECONDS = 2_000;

/** Waits until a connection is closed, within a time limit: a silent network never confirms it. */
export async function withTimeout(goodbye: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const timeout = delay(CLOSE_TIMEOUT_MILLISECONDS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([goodbye, timeout]);
  waiting.abort();
}

const IDLE_MILLISECONDS = 60_000;

/** A bounded number of connections, opened when they are needed and replaced when they break. */
export class ConnectionPool {
  private readonly pool: Pool;
  /** Connections that have their settings, with the schema's generation at that time. */
  private readonly prepared = new WeakMap<PoolClient, number>();
  /** Grows when the schema has changed under a prepared statement: connections of earlier generations are closed, not used. */
  private generation = 0;

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

/** Opens a connection outside the pools, for its caller to close. */
export async function openClient(url: string, time: StatementTime): Promise<Client> {
  const client = new Client(clientConfig(url, time));
  // A query reports the end of the connection; without a listener the process would end too.
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
