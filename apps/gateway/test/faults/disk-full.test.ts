import { rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { patiently } from './support/patiently.js';
import Database from 'better-sqlite3';
import { type Outcome, WAYS } from './support/ask.js';
import { assertSound } from './support/assert-sound.js';
import { makeFaultSqlite } from './support/fault-database.js';
import { FaultWorld, REPLY } from './support/fault-world.js';
import { onSmallDisk } from './support/small-disk.js';

interface Disk {
  fill(): void;
  makeRoom(): void;
}

const TEST_MILLISECONDS = 240_000;
/** Consecutive refusals after which the disk counts as full. */
const REFUSALS = 24;
const MAX_REQUESTS = 5000;
/** Requests that are held: more than fit into the pages that are already allocated. */
const HALTED = 48;
const REFUSED = { status: 503, code: 'service_unavailable', text: '', debited: null } as const;

async function askUntilFull(world: FaultWorld): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let refusals = 0; refusals < REFUSALS;) {
    if (outcomes.length > MAX_REQUESTS) throw new Error('the disk never was full');
    const asked = await Promise.all([world.askAllWays(), world.askAllWays()].flat());
    outcomes.push(...asked);
    refusals = asked.some(({ code }) => code === null) ? 0 : refusals + asked.length;
  }
  return outcomes;
}

/** Fills the disk while requests run, sends further requests, and frees space. */
async function chargesOverFullDisk(world: FaultWorld, disk: Disk): Promise<{ readonly cutOff: number; readonly charged: readonly string[]; readonly told: readonly string[] }> {
  const halted = Array.from({ length: HALTED / WAYS }, () => world.askAllWays('halting')).flat();
  await patiently(() => world.provider.calls.length === halted.length);
  disk.fill();
  const outcomes = await askUntilFull(world);
  const calls = world.provider.calls.length;
  const asked = await Promise.all(world.askAllWays());
  expect(asked).toEqual(asked.map(({ format }) => expect.objectContaining({ ...REFUSED, envelope: format === 'messages' ? 'error' : null })));
  expect(world.provider.calls.length).toBe(calls);
  await world.readiness(503);
  world.release();
  const relayed = await Promise.all(halted);
  const cutOff = relayed.filter(({ code }) => code !== null);
  expect(cutOff).toEqual(cutOff.map(({ delivery }) => (
    expect.objectContaining(delivery === 'whole' ? REFUSED : { status: 200, code: 'service_unavailable', text: REPLY, debited: null }))));
  expect(await world.metric('tollgate_settlements_waiting')).toBeGreaterThanOrEqual(cutOff.length);
  disk.makeRoom();
  await patiently(async () => await world.metric('tollgate_settlements_waiting') === 0);
  await world.readiness(200);
  await assertSound(world, [...outcomes, ...asked, ...relayed]);
  return {
    cutOff: cutOff.length,
    told: relayed.map(({ debited }) => debited ?? '0'),
    charged: await world.charged(relayed),
  };
}

const EACH_ONCE = Array.from({ length: HALTED }, () => '0.072');

describe('when SQLite cannot allocate another page,', () => {
  let world: FaultWorld;
  let pragma: jest.SpiedFunction<Database.Database['pragma']>;

  beforeEach(async () => {
    // The bound on pages applies to one connection, so the test must set it on the gateway's.
    pragma = jest.spyOn(Database.prototype, 'pragma');
    world = await FaultWorld.start({ database: makeFaultSqlite() });
  });

  afterEach(async () => {
    pragma.mockRestore();
    await world.close();
  });

  function bound(pages: number): void {
    const connections = new Set(pragma.mock.contexts as Database.Database[]);
    for (const connection of connections) if (connection.open) connection.pragma(`max_page_count = ${pages}`);
  }

  const database: Disk = { fill: () => bound(1), makeRoom: () => bound(1_000_000) };

  it('requests fail with errors; relayed output has its receipt, and is charged once, as soon as there is space', async () => {
    expect(await chargesOverFullDisk(world, database)).toEqual({ cutOff: 0, told: EACH_ONCE, charged: EACH_ONCE });
  }, TEST_MILLISECONDS);

  it('and the outbox has no space either, output that was relayed without a receipt is free', async () => {
    const outbox = world.outboxFile();
    const both: Disk = {
      fill: () => {
        symlinkSync('/dev/full', outbox);
        database.fill();
      },
      makeRoom: () => {
        rmSync(outbox);
        database.makeRoom();
      },
    };
    const { cutOff, told, charged } = await chargesOverFullDisk(world, both);
    expect(cutOff).toBeGreaterThan(0);
    expect(charged).toEqual(told);
  }, TEST_MILLISECONDS);
});

describe('when the file system of the database and its outbox is full,', () => {
  it('requests fail with errors, and as soon as there is space, relayed output is charged as its receipts say', () => onSmallDisk(async (small) => {
    const world = await FaultWorld.start({ database: makeFaultSqlite(small.folder) });
    try {
      const { told, charged } = await chargesOverFullDisk(world, small);
      expect(charged).toEqual(told);
      small.fill();
      await world.readiness(503);
      small.makeRoom();
      await world.readiness(200);
    } finally {
      small.makeRoom();
      await world.close();
    }
  }), TEST_MILLISECONDS);
});
