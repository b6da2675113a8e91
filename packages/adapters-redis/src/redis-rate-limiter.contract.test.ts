import { rateLimiterContract } from '@tollgate/testkit';
import { limiterOnRedis, redisFixture } from './test-support/redis-fixture.js';

rateLimiterContract('Redis', limiterOnRedis(redisFixture()));
