import { describe, expect, it } from '@jest/globals';
import { type Clock, later, ServiceTokens } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { services } from '../../src/composition/services.js';
import { type FaultPostgres, startFaultPostgres } from './support/fault-database.js';
import { FaultWorld } from './support/fault-world.js';
import { patiently } from './support/patiently.js';

const TEST_MILLISECONDS = 120_000;
const HOUR = 3_600_000;

function aheadByAnHour(): Clock {
  const clock = new SystemClock();
  return { now: () => later(clock.now(), HOUR), schedule: (milliseconds, task) => clock.schedule(milliseconds, task) };
}

/** Runs two gateways. The test can cut the first one's connection to the database, but not the second one's. */
async function withTwoGateways(test: (world: FaultWorld, database: FaultPostgres) => Promise<void>, clock?: (number: number) => Clock): Promise<void> {
  const database = { ...await startFaultPostgres() };
  const world = await FaultWorld.start({ database, ...(clock === undefined ? {} : { clock }) });
  try {
    database.url = database.server.url();
    await world.startGateway(1);
    await test(world, database);
  } finally {
    database.network.heal();
    await world.close();
  }
}

function post(world: FaultWorld, gateway: number, key: string): Promise<Response> {
  return fetch(`${world.urls[gateway]}/v1/chat/completions`, {
    method: 'POST', headers: { 'x-api-key': world.caller.key, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ model: 'halting', messages: [{ role: 'user', content: 'Hi' }] }),
  });
}

/** Sum of all charges in the ledger. */
async function paid(database: FaultPostgres): Promise<string> {
  const rows = await database.rows("select amount from ledger_entries where kind in ('charge', 'late-charge')");
  return rows.reduce((sum, { amount }) => sum.plus(ServiceTokens.fromUnits(BigInt(String(amount)))), ServiceTokens.ZERO).toString();
}

describe('two gateways on PostgreSQL', () => {
  it('charge a request with an idempotency key once, although one was cut off from the database and the other served it again', async () => {
    await withTwoGateways(async (world, database) => {
      const first = post(world, 0, 'order 66');
      await patiently(() => Promise.resolve(world.provider.calls.length === 1));
      database.network.blackHole();
      // Expires the first gateway's lease at once, instead of waiting for the database's clock.
      await database.rows("update process_leases set expires_at = 0 where process_id in (select owner_id from reservations where state = 'held')");
      await patiently(async () => await world.held() === 0);
      const second = patiently(async () => (await post(world, 1, 'order 66')).status === 200);
      await patiently(() => Promise.resolve(world.provider.calls.length === 2));
      world.release();
      await second;
      const afterSecond = await paid(database);
      database.network.heal();
      await first;
      await patiently(async () => await world.metric('tollgate_settlements_waiting') === 0);
      expect(await paid(database)).toBe(afterSecond);
      expect((await database.rows('select 1 from purchase_requests')).length).toBe(2);
      expect((await world.auditor.ledgerAudit.verify()).differences).toEqual([]);
      // The second gateway has stored the reply, and replays it.
      expect((await post(world, 1, 'order 66')).headers.get('idempotent-replayed')).toBe('true');
    });
  }, TEST_MILLISECONDS);

  it('serve a request with an idempotency key once, although one of their clocks is an hour ahead', async () => {
    await withTwoGateways(async (world) => {
      const first = post(world, 0, 'order 67');
      await patiently(() => Promise.resolve(world.provider.calls.length === 1));
      const { container } = world.gateways[1] ?? world.first;
      const now = container.get(services.clock).now();
      expect(await container.get(services.ledger).sweep(now)).toHaveLength(0);
      await container.get(services.idempotency).sweep(now, later(now, HOUR));
      for (let times = 0; times < 3; times += 1) expect((await post(world, 1, 'order 67')).status).toBe(409);
      world.release();
      expect((await first).status).toBe(200);
      expect((await post(world, 1, 'order 67')).headers.get('idempotent-replayed')).toBe('true');
      expect(world.provider.calls).toHaveLength(1);
    }, (number) => (number === 1 ? aheadByAnHour() : new SystemClock()));
  }, TEST_MILLISECONDS);
});
