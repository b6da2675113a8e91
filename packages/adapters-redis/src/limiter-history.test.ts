import { historyExtent, limiterHistoryContract } from '@tollgate/testkit';
import { limiterOnRedis } from './test-support/limiter-on-redis.js';
import { redisFixture } from './test-support/redis-fixture.js';

limiterHistoryContract('Redis', limiterOnRedis(redisFixture()), historyExtent('limits', 150));
