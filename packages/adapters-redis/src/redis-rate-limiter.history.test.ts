import { historyExtent, limiterHistoryContract } from '@tollgate/testkit';
import { limiterOnRedis, redisFixture } from './test-support/redis-fixture.js';

limiterHistoryContract('Redis', limiterOnRedis(redisFixture()), historyExtent('limits', 150));
