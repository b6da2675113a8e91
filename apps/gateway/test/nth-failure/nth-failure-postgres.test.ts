import { afterAll, beforeAll } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { openPostgresStore } from '@tollgate/adapters-postgres';
import type { ProcessId } from '@tollgate/core';
import { FAULT_KINDS, type FaultKind, type PostgresServer } from '@tollgate/testkit';
import { Client } from 'pg';
import { limiterOverRedis } from './support/limiter-over-redis.js';
import { nthFailureContract } from './support/nth-failure-contract.js';
import { startMigratedPostgres } from '../../src/test-support/migrated-postgres.js';

/**
 * The fault kind in which the database has committed but its reply is lost. The other kinds do not depend on the database; every run tests them over
 * SQLite.
 */
const USUAL_KINDS: readonly FaultKind[] = ['after'];

let server: PostgresServer;
beforeAll(async () => {
  server = await startMigratedPostgres();
});
afterAll(() => server.stop());

let copies = 0;

/** Creates a database without rows by copying one that has the schema and no connections; returns its URL. */
async function emptyBooks(): Promise<string> {
  const name = `books_${copies += 1}`;
  const client = new Client({ connectionString: server.url('template1') });
  await client.connect();
  await client.query(`create database ${name} template postgres strategy file_copy`);
  await client.end();
  return server.url(name);
}

nthFailureContract('PostgreSQL and Redis', {
  // The store gets its own clock, which never advances. With the tests' clock, which jumps, it would give up its connections as unresponsive.
  openStore: async () => openPostgresStore({ url: await emptyBooks(), clock: new ManualClock(), processId: 'process_1' as ProcessId, role: 'gateway', leaseClock: 'caller' }),
  makeLimiter: limiterOverRedis(),
  kinds: process.env['NTH_FAILURE'] === 'all' ? FAULT_KINDS : USUAL_KINDS,
});
