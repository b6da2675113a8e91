import { MILLISECONDS_PER_SECOND, type SharedCount, type SharedCounter } from '@tollgate/core';
import type { Result } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { luaScript } from './lua-script.js';
import type { RedisConnection } from './redis-connection.js';

/** The library's constructor requires a duration, although each count passes that of its own window. */
const NO_DURATION = 1;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateTakeBack(key: string, units: number): Result<[total: number, endsInMilliseconds: number], Context>;
  }
}

export interface RedisSharedCounterPorts {
  readonly connection: RedisConnection;
  /** Prefix of every key. */
  readonly prefix?: string;
}

/** Counts in Redis. A window begins with the first count of its name. Rejects if Redis does not respond; at once while Redis is not connected. */
export class RedisSharedCounter implements SharedCounter {
  readonly #limiter: RateLimiterRedis;

  readonly #connection: RedisConnection;

  constructor({ connection, prefix = 'tollgate:count' }: RedisSharedCounterPorts) {
    this.#connection = connection;
    connection.defineCommand('tollgateTakeBack', { lua: luaScript('take-back'), numberOfKeys: 1 });
    // Callers compare the total with their limits, so the value of `points` has no effect.
    this.#limiter = new RateLimiterRedis({ storeClient: connection, keyPrefix: prefix, points: 1, duration: NO_DURATION, rejectIfRedisNotReady: true });
  }

  async add(name: string, units: number, windowMilliseconds: number): Promise<SharedCount> {
    if (units < 0) return this.#takeBack(name, -units);
    const { consumedPoints, msBeforeNext } = await this.#limiter.penalty(name, units, { customDuration: windowMilliseconds / MILLISECONDS_PER_SECOND });
    return { total: consumedPoints, endsInMilliseconds: msBeforeNext };
  }

  async #takeBack(name: string, units: number): Promise<SharedCount> {
    const [total, endsInMilliseconds] = await this.#connection.tollgateTakeBack(this.#limiter.getKey(name), units);
    return { total, endsInMilliseconds };
  }
}
