import { readFileSync } from 'node:fs';
import { type AdmissionTicket, CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';
import { type Command, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

export interface RedisSettings {
  /** `redis://user:password@host:port/database`, `rediss://…` for TLS, or the path of a Unix socket. */
  readonly url: string;
  /** After it a command fails with unknown outcome. */
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
 * Fails fast: no command is queued while Redis is away, and none is sent twice, because scripts are not idempotent. Reconnects forever, at
 * least twice a second. Resolves when Redis is ready, or after a second. Close it with `closeRedis`.
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

/** At once; pending commands fail. */
export async function closeRedis(connection: RedisConnection): Promise<void> {
  if (connection.status === 'end') return;
  if (connection.status === 'reconnecting') {
    // Only cancels the scheduled attempt; the driver then emits no `end`.
    connection.disconnect();
    return;
  }
  const ended = new Promise<void>((resolve) => {
    connection.once('end', resolve);
  });
  connection.disconnect();
  await ended;
}

/** The error listener receives the failure, and the connection retries. */
async function firstAttempt(connection: RedisConnection): Promise<void> {
  await Promise.allSettled([connection.connect()]);
}

/**
 * Reads the socket once more before a command times out, so that replies which arrived while the process was busy count. The driver's
 * timeout does not.
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

/** Error codes of a Redis that refuses writes. */
const REFUSALS: Readonly<Record<string, string>> = {
  READONLY: 'it is a read-only replica',
  OOM: 'its memory is full',
  MISCONF: 'it cannot save to its disk',
  LOADING: 'it is loading its data',
  NOREPLICAS: 'it has too few replicas',
  MASTERDOWN: 'it has lost its master',
  NOAUTH: 'it requires a password',
  NOPERM: 'this user may not run the command',
};

/** Why Redis refuses writes; `null` if it does not respond. */
export function redisRefusalOf(failure: unknown): string | null {
  const message = failure instanceof Error ? failure.message : '';
  const refusal = Object.entries(REFUSALS).find(([code]) => new RegExp(`\\b${code}\\b`, 'u').test(message));
  return refusal === undefined ? null : `${refusal[1]} (${refusal[0]})`;
}

/** Redis is unreachable, too slow, or refused the command, whose outcome is unknown. */
export class RedisUnavailable extends Error {
  override readonly name: string = 'RedisUnavailable';

  constructor(cause: unknown) {
    super('Redis did not answer', { cause });
  }
}

/** The admission may have taken effect, or may do so later. */
export class UnansweredAdmission extends RedisUnavailable {
  override readonly name = 'UnansweredAdmission';

  /** Release `ticket` once Redis is back: it frees the slot if the admission took effect. */
  constructor(cause: unknown, readonly ticket: AdmissionTicket) {
    super(cause);
  }
}

export async function answered<Answer>(command: Promise<Answer>): Promise<Answer> {
  try {
    return await command;
  } catch (cause) {
    throw new RedisUnavailable(cause);
  }
}

/** Of a slot, after its last renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** Of a process, after its last announcement. */
const INSTANCE_LEASE_MILLISECONDS = 15_000;
/** Of keys, beyond the scripts' needs. */
const EXPIRY_MARGIN_MILLISECONDS = 5_000;

/** Of the scripts; durations in milliseconds. */
const CONSTANTS = {
  WINDOW: MILLISECONDS_PER_MINUTE,
  LEASE: LEASE_MILLISECONDS,
  INSTANCE_LEASE: INSTANCE_LEASE_MILLISECONDS,
  EXPIRY_MARGIN: EXPIRY_MARGIN_MILLISECONDS,
  CALENDAR_LIFETIME: CALENDAR_LIFETIME_MILLISECONDS,
  REFUSING_CALENDAR: REFUSING_CALENDAR_MILLISECONDS,
  /** Per demand. */
  DEMAND_ARGUMENTS: 12,
  /** Per released admission. */
  RELEASE_ARGUMENTS: 8,
};

function read(name: string): string {
  return readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** From the folder `lua`, with constants and included parts. */
export function luaScript(name: string, ...parts: readonly string[]): string {
  const constants = Object.entries(CONSTANTS).map(([constant, value]) => `local ${constant} = ${value}\n`).join('');
  return constants + [...parts, name].map(read).join('\n');
}
