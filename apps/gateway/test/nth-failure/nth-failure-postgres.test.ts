import { afterAll, beforeAll } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openPostgresStore } from '@tollgate/adapters-postgres';
import type { ProcessId } from '@tollgate/core';
import { FAULT_KINDS, type FaultKind, type PostgresServer } from '@tollgate/testkit';
import { limiterOverRedis } from './support/limiter-over-redis.js';
import { nthFailureContract } from './support/nth-failure-contract.js';
import { startMigratedPostgres } from '../../src/test-support/migrated-postgres.js';

/**
 * Faults after which the database has committed and its answer is lost. The other kinds are the same over any database, and tried over SQLite every
 * time.
 */
const USUAL_KINDS: readonly FaultKind[] = ['after'];

let server: PostgresServer;
beforeAll(async () => {
  server = await startMigratedPostgres();
});
afterAll(() => server.stop());

nthFailureContract('PostgreSQL and Redis', {
  // Its own clock stands still: the time jumps of these tests would look like connections that fell silent.
  openStore: () => openPostgresStore({ url: server.url(), clock: new ManualClock(), processId: 'process_1' as ProcessId, role: 'gateway', leaseClock: 'caller' }),
  makeLimiter: limiterOverRedis(),
  kinds: process.env['NTH_FAILURE'] === 'all' ? FAULT_KINDS : USUAL_KINDS,
});
