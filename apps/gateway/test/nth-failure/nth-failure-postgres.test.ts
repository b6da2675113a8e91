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
 * Faults after which the database has committed and its answer is lost. The other kinds are the same over any database, and tested over SQLite
 * every time.
 */
const USUAL_KINDS: readonly FaultKind[] = ['after'];

let server: PostgresServer;
beforeAll(async () => {
  server = await startMigratedPostgres();
});
afterAll(() => server.stop());

let copies = 0;

/** Returns the URL of a database with the schema and no rows, copied from one without connections. */
async function emptyBooks(): Promise<string> {
  const name = `books_${copies += 1}`;
  const client = new Client({ connectionString: server.url('template1') });
  await client.connect();
  await client.query(`create database ${name} template postgres strategy file_copy`);
  await client.end();
  return server.url(name);
}

nthFailureContract('PostgreSQL and Redis', {
  // The store gets a separate clock that never advances: with the tests' clock, whose time jumps, it would give up its connections as unresponsive.
  openStore: async () => openPostgresStore({ url: await emptyBooks(), clock: new ManualClock(), processId: 'process_1' as ProcessId, role: 'gateway', leaseClock: 'caller' }),
  makeLimiter: limiterOverRedis(),
  kinds: process.env['NTH_FAILURE'] === 'all' ? FAULT_KINDS : USUAL_KINDS,
});
