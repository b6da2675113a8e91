import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { anEnding, type NetworkProxy, receiptOf, reservationId, startNetworkProxy, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { assertSoundBooks, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
/** Number of lost replies for each operation. */
const LOSSES = 20;

interface Spoken {
  readonly name: string;
  /** Part of the statement whose reply is lost. */
  readonly text: (number: number) => string;
  readonly before: (driver: StoreDriver, number: number) => Promise<unknown>;
  readonly operation: (driver: StoreDriver, number: number) => Promise<unknown>;
  readonly answer: unknown;
  /** Balance as `posted/reserved/available` after `LOSSES` operations, each of which took effect once, starting from 10,000. */
  readonly balance: string;
}

const nothing = (): Promise<void> => Promise.resolve();

const SPOKEN: readonly Spoken[] = [
  {
    name: 'a reservation', text: (number) => `"id":"${reservationId(number)}"`, before: nothing,
    operation: (driver, number) => driver.reserve(number, '3'), answer: { outcome: 'reserved', amount: ServiceTokens.parse('3') }, balance: '10000/60/9940',
  },
  {
    name: 'a reservation of what is available, all of which it has taken', text: (number) => `"id":"${reservationId(number)}"`,
    before: (driver, number) => (number === 0 ? nothing() : driver.settle(number - 1, anEnding(1))),
    operation: async (driver, number) => {
      const reserved = await driver.reserve(number, '20000', { floor: '10' });
      return reserved.outcome === 'reserved' && reserved.amount.plus(ServiceTokens.parse(String(number))).toString();
    },
    answer: '10000', balance: '9981/9981/0',
  },
  {
    name: 'an extension', text: () => '"kind":"extend"', before: (driver, number) => driver.reserve(number, '3'),
    operation: (driver, number) => driver.store.ledger.extend(reservationId(number), ServiceTokens.parse('2')), answer: { outcome: 'reserved', amount: ServiceTokens.parse('2') },
    balance: '10000/100/9900',
  },
  {
    name: 'a settlement', text: () => '"kind":"settle"', before: (driver, number) => driver.reserve(number, '3'),
    operation: async (driver, number) => receiptOf(await driver.settle(number, anEnding(2))), answer: ['2', '0.02', '0'], balance: '9960/0/9960',
  },
  {
    name: 'the commit of a credit', text: () => 'commit', before: nothing,
    operation: (driver, number) => driver.store.ledger.credit({
      accountId: STORE_ALICE, amount: ServiceTokens.parse('2'), reference: `invoice ${number}`, actor: SYSTEM_ACTOR, at: STORE_NOON,
    }),
    answer: expect.objectContaining({ outcome: 'credited' }), balance: '10040/0/10040',
  },
  {
    name: 'the commit of a change', text: () => 'commit', before: nothing,
    operation: (driver, number) => postgresStoreOf(driver).accounts.change(STORE_ALICE, { name: `Alice ${number}` }, { actor: SYSTEM_ACTOR, at: STORE_NOON }),
    answer: expect.objectContaining({ id: STORE_ALICE }), balance: '10000/0/10000',
  },
];

const stores = new WeakMap<StoreDriver, SqlStore>();

function postgresStoreOf(driver: StoreDriver): SqlStore {
  const store = stores.get(driver);
  if (store === undefined) throw new Error('every driver here is on a store of PostgreSQL');
  return store;
}

describe('in each of twenty attempts with a lost reply, the operation', () => {
  let network: NetworkProxy;
  let driver: StoreDriver;

  beforeAll(async () => {
    network = await startNetworkProxy(postgres.server().socket);
  });
  afterAll(() => network.stop());

  afterEach(async () => {
    await assertSoundBooks(postgresStoreOf(driver));
    await driver.close();
  });

  async function start(): Promise<void> {
    const database = /\/(test_\d+)/.exec(await postgres.createStoreDatabase())?.[1] ?? '';
    const store = await postgres.open(`postgresql://tollgate@127.0.0.1:${network.port}/${database}`);
    driver = await StoreDriver.start(() => store);
    stores.set(driver, store);
    await driver.credit('10000');
  }

  it.each(SPOKEN)('$name takes effect once and reports the usual result', async ({ text, before, operation, answer, balance }) => {
    await start();
    for (let number = 0; number < LOSSES; number += 1) {
      await before(driver, number);
      const lost = network.lostReplies();
      network.loseNextReplyTo(text(number));
      expect(await operation(driver, number)).toEqual(answer);
      expect(network.lostReplies()).toBe(lost + 1);
    }
    expect(await driver.balance()).toBe(balance);
    expect(await postgresStoreOf(driver).auditTrail.verifyAuditTrail()).toMatchObject({ firstBrokenEntry: null });
  });
});
