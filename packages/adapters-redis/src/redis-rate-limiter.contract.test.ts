import { rateLimiterContract } from '@tollgate/testkit';
import { limiterOnRedis } from './test-support/limiter-on-redis.js';
import { redisFixture } from './test-support/redis-fixture.js';

rateLimiterContract('Redis', limiterOnRedis(redisFixture()));
