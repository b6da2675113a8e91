import type { Clock, ProcessId } from '@tollgate/core';
import type { Result } from 'ioredis';
import type { RedisConnection } from '../connection/open-redis.js';
import { answered } from '../connection/redis-unavailable.js';
import { Ticker } from '../connection/ticker.js';

/** Milliseconds a process counts as alive after it last said so. */
const LEASE_MILLISECONDS = 15_000;
const RENEWAL_MILLISECONDS = 5_000;

/** Keys: instances. Arguments: the process. Answers how many processes are alive. */
const ANNOUNCE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ${LEASE_MILLISECONDS}, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${LEASE_MILLISECONDS})
return redis.call('ZCARD', KEYS[1])
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateAnnounce(key: string, processId: string): Result<number, Context>;
  }
}

export interface LiveInstancesPorts {
  readonly connection: RedisConnection;
  readonly clock: Clock;
  readonly processId: ProcessId;
  readonly onAnnouncementFailed: (cause: unknown) => void;
  /** Begins the key. */
  readonly prefix?: string;
}

/** How many processes share the limits: each announces itself every 5 s and counts as alive for 15 s after. */
export class LiveInstances {
  readonly #announcements: Ticker;
  readonly #key: string;
  #count = 1;

  constructor(private readonly ports: LiveInstancesPorts) {
    ports.connection.defineCommand('tollgateAnnounce', { lua: ANNOUNCE_SCRIPT, numberOfKeys: 1 });
    this.#key = `${ports.prefix ?? 'tollgate:'}instances`;
    this.#announcements = new Ticker(ports.clock, RENEWAL_MILLISECONDS, () => this.announce());
  }

  /** As of the last announcement that Redis answered, this process included; at least 1. Stays as it is while Redis is away. */
  get count(): number {
    return this.#count;
  }

  /** Resolves after the first announcement, whether or not Redis answered it. */
  async start(): Promise<void> {
    this.#announcements.start();
    await this.announce();
  }

  /** Takes this process out of the count at once. Rejects with `RedisUnavailable`; the lease ends by itself then. */
  async stop(): Promise<void> {
    this.#announcements.stop();
    await answered(this.ports.connection.zrem(this.#key, this.ports.processId));
  }

  /** Says that this process is alive and counts who else is; `start` does it every 5 s. Never rejects. */
  async announce(): Promise<void> {
    try {
      this.#count = Math.max(1, await this.ports.connection.tollgateAnnounce(this.#key, this.ports.processId));
    } catch (cause) {
      this.ports.onAnnouncementFailed(cause);
    }
  }
}
