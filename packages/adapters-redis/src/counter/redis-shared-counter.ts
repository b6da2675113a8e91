import { type SharedCount, type SharedCounter } from '@tollgate/core';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from '../connection/open-redis.js';

const SECONDS_PER_MINUTE = 60;

export interface RedisSharedCounterPorts {
  readonly connection: RedisConnection;
  /** Before the names of its keys. */
  readonly prefix?: string;
}

/** Counts in Redis, in windows that begin with the first count. Fails at once while Redis is away. */
export class RedisSharedCounter implements SharedCounter {
  readonly #limiter: RateLimiterRedis;

  constructor({ connection, prefix = 'tollgate:unbilled' }: RedisSharedCounterPorts) {
    // Whether a limit is reached is decided by who counts, so any number of points does.
    this.#limiter = new RateLimiterRedis({ storeClient: connection, keyPrefix: prefix, points: 1, duration: SECONDS_PER_MINUTE, rejectIfRedisNotReady: true });
  }

  async add(name: string, units: number): Promise<SharedCount> {
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(name, units);
    return { total: consumedPoints, endsInMilliseconds: msBeforeNext };
  }
}
