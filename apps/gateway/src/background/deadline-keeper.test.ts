import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import { type HeldRequest, later, MILLISECONDS_PER_HOUR, RunningGenerations } from '@tollgate/core';
import { OWNER, requestFacts, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { DeadlineKeeper, PROLONGATIONS_PER_LIFETIME } from './deadline-keeper.js';

const LIFETIME = 60_000;
const INTERVAL = LIFETIME / PROLONGATIONS_PER_LIFETIME;

let [clock, store, running] = [new ManualClock(STORE_NOON), createMemoryStore(), new RunningGenerations()];
let logged: Record<string, unknown>[];
let driver: StoreDriver;
let keeper: DeadlineKeeper;

async function reserve(number: number): Promise<void> {
  const expiresAt = later(clock.now(), LIFETIME);
  await store.idempotency.claim({ accountId: STORE_ALICE, key: `key ${number}`, requestId: requestId(number), ownerId: OWNER, fingerprint: 'same', at: clock.now(), expiresAt });
  await driver.reserve(number, '10', { expiresAt });
}

/** Sweeps expired reservations, and then returns for each of two idempotency keys whether a running request still holds it. */
async function keysTaken(): Promise<readonly boolean[]> {
  await store.ledger.sweep(clock.now());
  return Promise.all([1, 2].map(async (number) => {
    const claim = { accountId: STORE_ALICE, key: `key ${number}`, requestId: requestId(9), ownerId: OWNER, fingerprint: 'same', at: clock.now(), expiresAt: later(clock.now(), LIFETIME) };
    return (await store.idempotency.claim(claim)).outcome === 'running';
  }));
}

function keeperOver(over: MemoryStore): DeadlineKeeper {
  const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });
  return new DeadlineKeeper({ ledger: over.ledger, idempotency: over.idempotency, running, processId: OWNER, lifetimeMilliseconds: LIFETIME, clock, log });
}

beforeEach(async () => {
  [clock, store, running, logged] = [new ManualClock(STORE_NOON), createMemoryStore(), new RunningGenerations(), []];
  driver = await StoreDriver.start(() => store);
  await driver.credit('100');
  await driver.renewLease(OWNER, later(STORE_NOON, MILLISECONDS_PER_HOUR));
  for (const number of [1, 2]) await reserve(number);
  running.add({ reservationId: reservationId(2), facts: { ...requestFacts(), requestId: requestId(2) } } as HeldRequest);
  keeper = keeperOver(store);
});
afterEach(() => keeper.stop());

it('the reservation and the idempotency key of a request are prolonged only while it runs', async () => {
  keeper.start();
  for (let passed = 0; passed < 10 * LIFETIME; passed += INTERVAL) await clock.advanceAsync(INTERVAL);
  expect([await keysTaken(), await driver.balance()]).toEqual([[false, true], '100/10/90']);
  await keeper.stop();
  await clock.advanceAsync(LIFETIME);
  expect([(await keysTaken())[1], await driver.balance()]).toEqual([false, '100/0/100']);
  expect(logged).toEqual([]);
});

it('a failed prolongation of reservations is retried before they expire', async () => {
  let failures = 0;
  const ledger = Object.assign(Object.create(store.ledger) as MemoryStore['ledger'], {
    prolong: (...given: Parameters<MemoryStore['ledger']['prolong']>) => {
      failures += 1;
      return failures < PROLONGATIONS_PER_LIFETIME - 1 ? Promise.reject(new Error('the database is away')) : store.ledger.prolong(...given);
    },
  });
  keeper = keeperOver({ ...store, ledger });
  keeper.start();
  for (let turn = 1; turn < PROLONGATIONS_PER_LIFETIME; turn += 1) await clock.advanceAsync(INTERVAL);
  await clock.advanceAsync(INTERVAL);
  expect([await keysTaken(), await driver.balance()]).toEqual([[false, true], '100/10/90']);
  expect(logged.map(({ msg }) => msg)).toEqual(Array(PROLONGATIONS_PER_LIFETIME - 2).fill('the reservations of running requests could not be prolonged; the gateway retries'));
});

it('idempotency keys are prolonged even if the reservations cannot be prolonged', async () => {
  const ledger = Object.assign(Object.create(store.ledger) as MemoryStore['ledger'], { prolong: () => Promise.reject(new Error('one row is unreadable')) });
  keeper = keeperOver({ ...store, ledger });
  keeper.start();
  for (let passed = 0; passed < LIFETIME; passed += INTERVAL) await clock.advanceAsync(INTERVAL);
  expect([await keysTaken(), await driver.balance()]).toEqual([[false, true], '100/0/100']);
});
