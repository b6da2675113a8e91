import { MILLISECONDS_PER_SECOND, type SharedCount, type SharedCounter } from '@tollgate/core';
import type { Result } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { RedisConnection } from '../connection/open-redis.js';

/** Stands in the constructor only: each count names its own window. */
const NO_DURATION = 1;

/** Lowers a count, where there is one, to zero at the least: `{ total, milliseconds to the end of its window }`. */
const TAKE_BACK_SCRIPT = `
local held = tonumber(redis.call('get', KEYS[1]) or '0')
if held <= 0 then return { 0, 0 } end
local left = math.max(0, held - tonumber(ARGV[1]))
redis.call('decrby', KEYS[1], held - left)
return { left, redis.call('pttl', KEYS[1]) }
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateTakeBack(key: string, units: number): Result<[total: number, endsInMilliseconds: number], Context>;
  }
}

export interface RedisSharedCounterPorts {
  readonly connection: RedisConnection;
  /** Before the names of its keys. */
  readonly prefix?: string;
}

/** Counts in Redis, in windows that begin with the first count. Fails at once while Redis is away. */
export class RedisSharedCounter implements SharedCounter {
  readonly #limiter: RateLimiterRedis;

  readonly #connection: RedisConnection;

  constructor({ connection, prefix = 'tollgate:count' }: RedisSharedCounterPorts) {
    this.#connection = connection;
    connection.defineCommand('tollgateTakeBack', { lua: TAKE_BACK_SCRIPT, numberOfKeys: 1 });
    // Whether a limit is reached is decided by who counts, so any number of points does.
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
