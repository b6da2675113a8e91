import type { ProcessId } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { rateLimiterContract } from '@tollgate/testkit';
import { redisFixture } from '../test-support/redis-fixture.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const redis = redisFixture();

rateLimiterContract('Redis', async ({ startAt, tokensUsed }) => {
  const clock = new ManualClock(startAt);
  const limiter = new RedisRateLimiter({
    connection: await redis.connect(), usage: { tokensUsed }, clock, processId: 'proc_test' as ProcessId, time: 'clock',
    prefix: redis.prefix(),
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
  };
});
