import { type Command, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

export interface RedisSettings {
  /** URL such as `redis://user:password@host:port/database`, `rediss://…` for TLS, or the path of a Unix socket. */
  readonly url: string;
  /** Time after which a command fails. Its outcome is then unknown. */
  readonly commandTimeoutMilliseconds?: number;
  /** Receives errors of failed attempts to connect and of broken connections. Their texts contain the address, so they must stay private. */
  readonly onError: (error: Error) => void;
}

/** Default of `commandTimeoutMilliseconds`. */
export const COMMAND_TIMEOUT_MILLISECONDS = 250;
const CONNECT_TIMEOUT_MILLISECONDS = 1_000;
/** A connection with pending commands is closed after this time without data, because the server may have disappeared. */
const SILENCE_MILLISECONDS = 2_000;
/** Maximum time that a server has to close its side. */
const CLOSE_TIMEOUT_MILLISECONDS = 250;
const MAX_RETRY_MILLISECONDS = 500;
const RETRY_STEP_MILLISECONDS = 20;

/**
 * Opens a connection that fails fast. No command is queued while Redis is unavailable. None is sent twice, because the scripts are not idempotent.
 * The connection reconnects forever, after pauses of at most half a second. Resolves after the first attempt to connect: within about two seconds if
 * the server does not respond. A server that is loading its data is awaited. Close it with `closeRedis`.
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

/** Closes the connection at once. Pending commands fail. */
export async function closeRedis(connection: RedisConnection): Promise<void> {
  if (connection.status === 'end') return;
  if (connection.status === 'reconnecting') {
    // Only cancels the scheduled attempt. The driver then emits no `end`.
    connection.disconnect();
    return;
  }
  const ended = new Promise<void>((resolve) => {
    connection.once('end', resolve);
  });
  connection.disconnect();
  await ended;
}

/** Resolves after the first attempt, even a failed one. The error listener receives the failure, and the driver tries again. */
async function firstAttempt(connection: RedisConnection): Promise<void> {
  await Promise.allSettled([connection.connect()]);
}

/**
 * Reads the socket once more before a command times out, so that replies that arrived while the process was busy are accepted. The driver's own
 * timeout would drop them.
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

  /** The callback of `setImmediate` runs after all received data has been read. */
  #readOnceMore(command: Command): void {
    setImmediate(() => {
      if (!command.isResolved) command.reject(new Error('the command timed out'));
    });
  }
}
