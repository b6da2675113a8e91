import { type Command, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

export interface RedisSettings {
  /** URL such as `redis://user:password@host:port/database`, `rediss://…` for TLS, or the path of a Unix socket. */
  readonly url: string;
  /** Time after which a command fails. Its outcome is then unknown. */
  readonly commandTimeoutMilliseconds?: number;
  /**
   * Receives errors of failed attempts to connect and of broken connections. Their texts contain the address, so they must stay private; they never
   * contain the password.
   */
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

/** Refusals by a server that is no longer the master, whose address may already lead to the new one. */
const DEMOTED = /\b(READONLY|MASTERDOWN)\b/u;

/**
 * Opens a connection that fails fast. No command is queued while Redis is unavailable. None is sent twice, because the scripts are not idempotent.
 * The connection reconnects forever, after pauses of at most half a second. Resolves after the first attempt to connect: within about two seconds if
 * the server does not respond. A server that is loading its data is not awaited: it refuses commands with `LOADING`. Close it with `closeRedis`.
 */
export async function openRedis({ url, commandTimeoutMilliseconds, onError }: RedisSettings): Promise<RedisConnection> {
  const connection = new TimedRedis(url, commandTimeoutMilliseconds ?? COMMAND_TIMEOUT_MILLISECONDS, {
    lazyConnect: true,
    // The driver's ready check would delay the connection, without an error or a time limit, until the server has loaded its data.
    enableReadyCheck: false,
    reconnectOnError: ({ message }) => DEMOTED.test(message),
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

const NOT_CONNECTED: ReadonlySet<Redis['status']> = new Set<Redis['status']>(['connecting', 'reconnecting', 'close']);

/**
 * Reads the socket once more before a command times out, so that replies that arrived while the process was busy are accepted. The driver's own
 * timeout would drop them. Errors of commands say why there is no connection, and do not contain the arguments.
 */
class TimedRedis extends Redis {
  /** Why the last attempt to connect failed. */
  #failure: Error | null = null;

  constructor(url: string, private readonly timeoutMilliseconds: number, options: RedisOptions & { readonly replyMapping?: 'legacy' }) {
    super(url, options);
    this.on('error', (failure: Error) => {
      this.#failure = failure;
    });
    this.on('ready', () => {
      this.#failure = null;
    });
  }

  override sendCommand(...sent: Parameters<Redis['sendCommand']>): unknown {
    const [command] = sent;
    if (NOT_CONNECTED.has(this.status)) {
      command.reject(new Error(this.#failure === null ? 'Redis is not connected' : `Redis is not connected: ${this.#failure.message}`));
      return command.promise;
    }
    const timer = setTimeout(() => this.#readOnceMore(command), this.timeoutMilliseconds);
    command.promise.then(() => clearTimeout(timer), (failure: Error) => {
      clearTimeout(timer);
      // The driver adds the command with its arguments to the error; an argument may be the password.
      Reflect.deleteProperty(failure, 'command');
    });
    return super.sendCommand(...sent);
  }

  /** The callback of `setImmediate` runs after all received data has been read. */
  #readOnceMore(command: Command): void {
    setImmediate(() => {
      if (command.isResolved) return;
      command.reject(new Error('the command timed out'));
      // Otherwise the driver would keep a connection on which its own first commands get no reply.
      if (this.status === 'connect') this.disconnect(true);
    });
  }
}
