import { ManualClock } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import type { MakeRateLimiter } from '@tollgate/testkit';
import { closeRedis } from '../redis-connection.js';
import { RedisRateLimiter } from '../redis-rate-limiter.js';
import type { RedisFixture } from './redis-fixture.js';

/** Makes limiters for their contracts: all on one server, each with keys and a clock of its own. */
export function limiterOnRedis(redis: RedisFixture): MakeRateLimiter {
  return async ({ startAt, tokensUsed }) => {
    const clock = new ManualClock(startAt);
    const connection = await redis.connect();
    const limiter = new RedisRateLimiter({
      connection, usage: { tokensUsed }, clock, processId: 'proc_test' as ProcessId, time: 'clock', prefix: redis.prefix(),
      onCleanUpFailed: (cause) => {
        throw cause;
      },
    });
    return {
      limiter,
      // The same as every renewal that would have been due in that time, since the last of them alone has an effect.
      advance: async (milliseconds) => {
        clock.advance(milliseconds);
        await limiter.renew();
      },
      close: () => closeRedis(connection),
    };
  };
}
