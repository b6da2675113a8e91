import { type Command, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

export interface RedisSettings {
  /** `redis://user:password@host:port/database`, `rediss://…` for TLS, or the path of a Unix socket. */
  readonly url: string;
  /** Time after which a command fails with unknown outcome. */
  readonly commandTimeoutMilliseconds?: number;
  /** Receives every failed connection attempt. The text is private: it contains the address. */
  readonly onError: (error: Error) => void;
}

/** The default of `commandTimeoutMilliseconds`. */
export const COMMAND_TIMEOUT_MILLISECONDS = 250;
const CONNECT_TIMEOUT_MILLISECONDS = 1_000;
/** Closes a connection with pending commands after this silence: the server may be gone without notice. */
const SILENCE_MILLISECONDS = 2_000;
/** Time for the server to close its side. */
const CLOSE_TIMEOUT_MILLISECONDS = 250;
const MAX_RETRY_MILLISECONDS = 500;
const RETRY_STEP_MILLISECONDS = 20;

/**
 * Opens a connection that fails fast: no command is queued while Redis is away, and none is sent twice, because scripts are not idempotent. It
 * reconnects forever, at least twice a second. Resolves when Redis is ready, or after a second. Close the connection with `closeRedis`.
 */
export async function openRedis({ url, commandTimeoutMilliseconds, onError }: RedisSettings): Promise<RedisConnection> {
  const connection = new TimedRedis(url, commandTimeoutMilliseconds ?? COMMAND_TIMEOUT_MILLISECONDS, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    disconnectTimeout: CLOSE_TIMEOUT_MILLISECONDS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    retryStrategy: (attempts) => Math.min(attempts * RETRY_STEP_MILLISECONDS, MAX_RETRY_MILLISECONDS),
  });
  connection.on('error', onError);
  await firstAttempt(connection);
  return connection;
}

/** Closes at once; pending commands fail. */
export async function closeRedis(connection: RedisConnection): Promise<void> {
  if (connection.status === 'end') return;
  if (connection.status === 'reconnecting') {
    // This only cancels the scheduled attempt: the driver emits no `end`.
    connection.disconnect();
    return;
  }
  const ended = new Promise<void>((resolve) => {
    connection.once('end', resolve);
  });
  connection.disconnect();
  await ended;
}

/** Resolves after the first attempt, even if it fails: the error listener receives the failure, and the connection retries. */
async function firstAttempt(connection: RedisConnection): Promise<void> {
  await Promise.allSettled([connection.connect()]);
}

/**
 * Reads the socket once more before a command times out, so that replies which arrived while the process was busy count; the driver's own timeout
 * would drop them.
 */
class TimedRedis extends Redis {
  constructor(url: string, private readonly timeoutMilliseconds: number, options: RedisOptions & { readonly replyMapping?: 'legacy' }) {
    super(url, options);
  }

  override sendCommand(...sent: Parameters<Redis['sendCommand']>): unknown {
    const [command] = sent;
    const timer = setTimeout(() => this.#readOnceMore(command), this.timeoutMilliseconds);
    const clear = (): void => clearTimeout(timer);
    command.promise.then(clear, clear);
    return super.sendCommand(...sent);
  }

  /** An immediate runs after all received data was read. */
  #readOnceMore(command: Command): void {
    setImmediate(() => {
      if (!command.isResolved) command.reject(new Error('the command timed out'));
    });
  }
}
