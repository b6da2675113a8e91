import { readFileSync } from 'node:fs';
import { type AdmissionTicket, CALENDAR_LIFETIME_MILLISECONDS, MILLISECONDS_PER_MINUTE, REFUSING_CALENDAR_MILLISECONDS } from '@tollgate/core';
import { type Command, Redis, type RedisOptions } from 'ioredis';

export type RedisConnection = Redis;

export interface RedisSettings {
  /** `redis://user:password@host:port/database`, `rediss://…` for TLS, or the path of a Unix socket. */
  readonly url: string;
  /** A command fails after this time; its outcome is then unknown. */
  readonly commandTimeoutMilliseconds?: number;
  /** Receives every failure to connect. The text is private: it names the address. */
  readonly onError: (error: Error) => void;
}

/** The default of `commandTimeoutMilliseconds`. */
export const COMMAND_TIMEOUT_MILLISECONDS = 250;
const CONNECT_TIMEOUT_MILLISECONDS = 1_000;
/** A connection with commands pending that receives nothing for this long is closed: the server may have gone without closing it. */
const SILENCE_MILLISECONDS = 2_000;
/** How long the server may take to close its side of a connection. */
const CLOSE_TIMEOUT_MILLISECONDS = 250;
const MAX_RETRY_MILLISECONDS = 500;
const RETRY_STEP_MILLISECONDS = 20;

/**
 * A connection that fails fast: no command is queued while Redis is away, and none is sent twice, since a script
 * that has taken effect must not take effect again. It reconnects forever, at least twice a second.
 * Resolves when Redis is ready, or a second later without it. Close it with `closeRedis`.
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

/** Ends the connection at once; commands without an answer fail. */
export async function closeRedis(connection: RedisConnection): Promise<void> {
  if (connection.status === 'end') return;
  if (connection.status === 'reconnecting') {
    // Only the next attempt is scheduled; the driver drops it and emits no "end".
    connection.disconnect();
    return;
  }
  const ended = new Promise<void>((resolve) => {
    connection.once('end', resolve);
  });
  connection.disconnect();
  await ended;
}

/** Ignores a failure: the error listener receives it, and the connection retries. */
async function firstAttempt(connection: RedisConnection): Promise<void> {
  await Promise.allSettled([connection.connect()]);
}

/**
 * A connection with a command timeout that reads the socket once more before it fails a command, so that a response which arrived while
 * the process was busy still counts. The timeout of the driver looks at the clock before it reads the socket.
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

  /** When an immediate runs, everything that had arrived has been read. */
  #readOnceMore(command: Command): void {
    setImmediate(() => {
      if (!command.isResolved) command.reject(new Error('the command timed out'));
    });
  }
}

/** Codes with which a Redis that answers refuses to write, and what they mean. */
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

/** Why a Redis that answers does not write; `null` for one that does not answer. */
export function redisRefusalOf(failure: unknown): string | null {
  const message = failure instanceof Error ? failure.message : '';
  const refusal = Object.entries(REFUSALS).find(([code]) => new RegExp(`\\b${code}\\b`, 'u').test(message));
  return refusal === undefined ? null : `${refusal[1]} (${refusal[0]})`;
}

/** A command failed: Redis is unreachable, too slow, or refused it. Whether the command took effect is unknown. */
export class RedisUnavailable extends Error {
  override readonly name: string = 'RedisUnavailable';

  constructor(cause: unknown) {
    super('Redis did not answer', { cause });
  }
}

/** An admission failed, but it may have taken effect or take effect later. */
export class UnansweredAdmission extends RedisUnavailable {
  override readonly name = 'UnansweredAdmission';

  /** Release `ticket` once Redis is back: it frees the slot that the admission may have taken, and changes nothing otherwise. */
  constructor(cause: unknown, readonly ticket: AdmissionTicket) {
    super(cause);
  }
}

/** Turns any failure of a command into `RedisUnavailable`. */
export async function answered<Answer>(command: Promise<Answer>): Promise<Answer> {
  try {
    return await command;
  } catch (cause) {
    throw new RedisUnavailable(cause);
  }
}

/** A slot expires this long after its last renewal. */
export const LEASE_MILLISECONDS = 30_000;
/** A process counts as alive for this long after its last announcement. */
const INSTANCE_LEASE_MILLISECONDS = 15_000;
/** Keys expire this much later than the scripts need them. */
const EXPIRY_MARGIN_MILLISECONDS = 5_000;

/** Constants of the scripts; durations are in milliseconds. */
const CONSTANTS = {
  WINDOW: MILLISECONDS_PER_MINUTE,
  LEASE: LEASE_MILLISECONDS,
  INSTANCE_LEASE: INSTANCE_LEASE_MILLISECONDS,
  EXPIRY_MARGIN: EXPIRY_MARGIN_MILLISECONDS,
  CALENDAR_LIFETIME: CALENDAR_LIFETIME_MILLISECONDS,
  REFUSING_CALENDAR: REFUSING_CALENDAR_MILLISECONDS,
  /** Arguments of each demand. */
  DEMAND_ARGUMENTS: 12,
  /** Arguments of each admission that is released. */
  RELEASE_ARGUMENTS: 8,
};

function read(name: string): string {
  return readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');
}

/** A script of the folder `lua`, after the constants and the parts that it uses. */
export function luaScript(name: string, ...parts: readonly string[]): string {
  const constants = Object.entries(CONSTANTS).map(([constant, value]) => `local ${constant} = ${value}\n`).join('');
  return constants + [...parts, name].map(read).join('\n');
}
