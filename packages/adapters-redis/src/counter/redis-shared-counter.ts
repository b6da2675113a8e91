import { MILLISECONDS_PER_SECOND, type SharedCount, type SharedCounter } from '@tollgate/core';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from '../connection/open-redis.js';

/** Stands in the constructor only: each count names its own window. */
const NO_DURATION = 1;

export interface RedisSharedCounterPorts {
  readonly connection: RedisConnection;
  /** Before the names of its keys. */
  readonly prefix?: string;
}

/** Counts in Redis, in windows that begin with the first count. Fails at once while Redis is away. */
export class RedisSharedCounter implements SharedCounter {
  readonly #limiter: RateLimiterRedis;

  constructor({ connection, prefix = 'tollgate:count' }: RedisSharedCounterPorts) {
    // Whether a limit is reached is decided by who counts, so any number of points does.
    this.#limiter = new RateLimiterRedis({ storeClient: connection, keyPrefix: prefix, points: 1, duration: NO_DURATION, rejectIfRedisNotReady: true });
  }

  async add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount> {
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(name, units, { customDuration: windowMilliseconds / MILLISECONDS_PER_SECOND });
    return { total: consumedPoints, endsInMilliseconds: msBeforeNext };
  }
}
