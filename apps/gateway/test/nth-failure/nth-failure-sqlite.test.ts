import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { IN_MEMORY } from '@tollgate/sql-common';
import type { ProcessId } from '@tollgate/core';
import { FAULT_KINDS } from '@tollgate/testkit';
import { limiterOverRedis } from './support/limiter-over-redis.js';
import { nthFailureContract } from './support/nth-failure-contract.js';

nthFailureContract('SQLite and Redis', {
  openStore: (clock) => openSqliteStore({ file: IN_MEMORY, clock, processId: 'process_1' as ProcessId, role: 'gateway' }),
  makeLimiter: limiterOverRedis(),
  kinds: FAULT_KINDS,
});
