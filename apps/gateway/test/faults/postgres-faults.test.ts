import { describe, expect, it } from '@jest/globals';
import { patiently } from './support/patiently.js';
import { ask, type Outcome, WAYS } from './support/ask.js';
import { atTheSameTime } from './support/at-the-same-time.js';
import { assertSound } from './support/assert-sound.js';
import { type FaultPostgres, startFaultPostgres } from './support/fault-database.js';
import { FaultWorld, REPLY } from './support/fault-world.js';

interface Outage {
  readonly name: string;
  readonly begin: (database: FaultPostgres) => Promise<void> | void;
  readonly end: (database: FaultPostgres) => Promise<void> | void;
  /** The documented time limit plus a margin for busy machines. */
  readonly longestMilliseconds: number;
}

const OUTAGES: readonly Outage[] = [
  { name: 'stopped by its operator', begin: ({ server }) => server.shutDown(), end: ({ server }) => server.restart(), longestMilliseconds: 30_000 },
  { name: 'killed', begin: ({ server }) => server.crash(), end: ({ server }) => server.restart(), longestMilliseconds: 30_000 },
  { name: 'stopped in its tracks', begin: ({ server }) => server.pause(), end: ({ server }) => server.resume(), longestMilliseconds: 40_000 },
  { name: 'black-holed', begin: ({ network }) => network.blackHole(), end: ({ network }) => network.heal(), longestMilliseconds: 40_000 },
];

const TEST_MILLISECONDS = 240_000;
const CLIENTS = 8;

/** Each call has a server of its own, so that the cases of `atTheSameTime` can run concurrently. */
async function withWorld(test: (world: FaultWorld, database: FaultPostgres) => Promise<void>): Promise<void> {
  const database = await startFaultPostgres();
  const world = await FaultWorld.start({ database });
  try {
    await test(world, database);
  } finally {
    database.network.heal();
    await world.close();
  }
}

function refusalOf({ format }: Outcome): unknown {
  return expect.objectContaining({ status: 503, code: 'service_unavailable', envelope: format === 'messages' ? 'error' : null, text: '', debited: null });
}

/** A reply that was delivered, with a receipt, while its settlement was queued. */
const DELIVERED: unknown = expect.objectContaining({ status: 200, code: null, text: REPLY, debited: expect.any(String) });

/** Begins requests that pause after the first piece of the reply, and starts continuous clients. */
async function busy(world: FaultWorld): Promise<{ readonly halted: readonly Promise<Outcome>[]; readonly load: ReturnType<FaultWorld['load']> }> {
  const halted = world.askAllWays('halting');
  await patiently(() => world.provider.calls.length === halted.length);
  const load = world.load(CLIENTS);
  await patiently(() => load.outcomes.length > 50);
  return { halted, load };
}

describe('while PostgreSQL is away for long,', () => {
  it('requests fail in time with errors, relayed output is charged once after recovery, and no charge is lost', async () => {
    await atTheSameTime(OUTAGES, async ({ begin, end, longestMilliseconds }) => {
      await withWorld(async (world, database) => {
        const { halted, load } = await busy(world);
        await begin(database);
        world.release();
        const served = world.provider.calls.length;
        const [, overtaken, asked, relayed] = await Promise.all([
          world.readiness(503), load.stop(), Promise.all(world.askAllWays()), Promise.all(halted),
        ]);
        for (const outcome of asked) expect(outcome).toEqual(refusalOf(outcome));
        // Some of the clients' last requests had begun to be served; none that came later was.
        expect(world.provider.calls.length).toBeLessThanOrEqual(served + CLIENTS);
        for (const outcome of relayed) expect(outcome).toEqual(DELIVERED);
        const outcomes = [...overtaken, ...asked, ...relayed];
        expect(Math.max(...outcomes.map(({ milliseconds }) => milliseconds))).toBeLessThan(longestMilliseconds);
        expect(await world.metric('tollgate_settlements_waiting')).toBeGreaterThanOrEqual(relayed.length);
        await end(database);
        await patiently(async () => await world.metric('tollgate_settlements_waiting') === 0);
        await world.readiness(200);
        const records = await Promise.all(relayed.map(({ requestId }) => world.record(requestId)));
        expect(records.map((record) => [record?.reason, record?.charge.amount.isZero()])).toEqual(relayed.map(() => ['completed', false]));
        await assertSound(world, outcomes);
      });
    });
  }, TEST_MILLISECONDS);

  it('relayed output is charged once by the next gateway if the first one stops before recovery', async () => {
    await withWorld(async (world, database) => {
      const halted = world.askAllWays('halting');
      await patiently(() => world.provider.calls.length === halted.length);
      await database.server.shutDown();
      world.release();
      const relayed = await Promise.all(halted);
      expect(await world.metric('tollgate_settlements_waiting')).toBe(relayed.length);
      await expect(world.first.close()).rejects.toThrow('The service cannot reach its data store');
      await database.server.restart();
      await world.startGateway(0);
      expect(await world.metric('tollgate_settlements_waiting')).toBe(0);
      expect(await world.charged(relayed)).toEqual(relayed.map(() => '0.072'));
      await assertSound(world, relayed);
    });
  }, TEST_MILLISECONDS);
});

describe('when PostgreSQL is away for a moment,', () => {
  it('requests wait, then are served and charged once, and no client gets an error', async () => {
    await atTheSameTime(OUTAGES.slice(0, 2), async ({ begin, end }) => {
      await withWorld(async (world, database) => {
        const { halted, load } = await busy(world);
        await begin(database);
        world.release();
        await end(database);
        const before = load.outcomes.length;
        await patiently(() => load.outcomes.length > before + 50);
        const outcomes = [...await load.stop(), ...await Promise.all(halted)];
        expect(outcomes.filter(({ status, code, text }) => status !== 200 || code !== null || text !== REPLY)).toEqual([]);
        await assertSound(world, outcomes);
      });
    });
  }, TEST_MILLISECONDS);
});

describe('when the reply to a statement is lost,', () => {
  it('each of forty requests is served, charged once and recorded once', async () => {
    await withWorld(async (world, { network }) => {
      const outcomes: Outcome[] = [];
      for (let number = 0; number < 40; number += 1) {
        // Half of the losses hit a reservation, half a settlement, each for every format and delivery.
        network.loseNextReplyTo(Math.floor(number / WAYS) % 2 === 0 ? '"kind":"reserve"' : '"kind":"settle"');
        outcomes.push(await ask({ url: world.first.url, key: world.caller.key, model: 'small', number }));
      }
      expect(network.lostReplies()).toBe(40);
      expect(outcomes.filter(({ status, code, debited }) => status !== 200 || code !== null || debited !== '0.072')).toEqual([]);
      expect(await world.records()).toBe(40);
      await assertSound(world, outcomes);
    });
  }, TEST_MILLISECONDS);
});

it('while PostgreSQL accepts lease renewals but no reservations, the gateway is not ready, and it recovers with PostgreSQL', async () => {
  await withWorld(async (world, database) => {
    const load = world.load(CLIENTS);
    await patiently(() => load.outcomes.length > 50);
    await database.rows(`create function disk_is_full() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger disk_is_full before insert on reservations execute function disk_is_full()`);
    await world.readiness(503);
    expect(await world.metric('tollgate_store_failing')).toBe(1);
    await database.rows('drop trigger disk_is_full on reservations');
    await world.readiness(200);
    expect([await world.metric('tollgate_store_failing'), await world.metric('tollgate_store_failures_total') >= 5]).toEqual([0, true]);
    await assertSound(world, await load.stop());
  });
}, TEST_MILLISECONDS);
