import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import type { ProcessId } from '@tollgate/core';
import { FAULT_KINDS } from '@tollgate/testkit';
import { limiterOverRedis } from './support/limiter-over-redis.js';
import { nthFailureContract } from './support/nth-failure-contract.js';

const PROCESS = 'process_1' as ProcessId;

nthFailureContract('SQLite and Redis', {
  openStore: (clock) => storeInMemory(clock, PROCESS),
  makeLimiter: limiterOverRedis(),
  kinds: FAULT_KINDS,
});
