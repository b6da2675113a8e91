import type { Redis } from 'ioredis';
import { PatientRedis } from './patient-redis.js';

export type RedisConnection = Redis;

export interface RedisSettings {
  /** `redis://user:password@host:port/database`, `rediss://…` for TLS, or the path of a Unix socket. */
  readonly url: string;
  /** No command waits longer; its outcome is then unknown. */
  readonly commandTimeoutMilliseconds?: number;
  /** Receives every failure to connect. The text is private: it names the address. */
  readonly onError: (error: Error) => void;
}

/** Unless the settings say otherwise. */
export const COMMAND_TIMEOUT_MILLISECONDS = 250;
const CONNECT_TIMEOUT_MILLISECONDS = 1_000;
/** A connection that owes answers and has been silent for so long is given up: its other end may be gone without a word. */
const SILENCE_MILLISECONDS = 2_000;
/** How long the other end may take to close a connection that is being closed. */
const FAREWELL_MILLISECONDS = 250;
const LONGEST_RETRY_MILLISECONDS = 500;
const FIRST_RETRY_MILLISECONDS = 20;

/**
 * A connection that fails fast: no command is queued while Redis is away, and none is sent twice, since a script
 * that has taken effect must not take effect again. Reconnects for ever, at least twice a second.
 * Resolves when Redis is ready, or a second later without it. Close it with `closeRedis`.
 */
export async function openRedis({ url, commandTimeoutMilliseconds, onError }: RedisSettings): Promise<RedisConnection> {
  const connection = new PatientRedis(url, commandTimeoutMilliseconds ?? COMMAND_TIMEOUT_MILLISECONDS, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    disconnectTimeout: FAREWELL_MILLISECONDS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    retryStrategy: (attempts) => Math.min(attempts * FIRST_RETRY_MILLISECONDS, LONGEST_RETRY_MILLISECONDS),
  });
  connection.on('error', onError);
  await firstAttempt(connection);
  return connection;
}

/** A second connection to the same server, for what a connection can do only alone. Connects by itself. */
export function duplicateRedis(connection: RedisConnection, onError: (error: Error) => void): RedisConnection {
  const duplicate = connection.duplicate({ lazyConnect: false, commandTimeout: COMMAND_TIMEOUT_MILLISECONDS });
  duplicate.on('error', onError);
  return duplicate;
}

/** Ends the connection at once; commands without an answer fail. */
export async function closeRedis(connection: RedisConnection): Promise<void> {
  if (connection.status === 'end') return;
  if (connection.status === 'reconnecting') {
    // Nothing is open, only the next attempt is planned: the driver drops it, and says nothing of an end.
    connection.disconnect();
    return;
  }
  const ended = new Promise<void>((resolve) => {
    connection.once('end', resolve);
  });
  connection.disconnect();
  await ended;
}

/** Whether the first attempt succeeds does not matter here: the listener receives a failure, and the connection keeps trying. */
async function firstAttempt(connection: RedisConnection): Promise<void> {
  await Promise.allSettled([connection.connect()]);
}
