import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type ApiKeyId, budgetAt, later, type PriceListId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { FIRST_LEASE_MILLISECONDS, type SqlStore } from '@tollgate/sql-common';
import { createAtOnce, rotateAtOnce } from '@tollgate/sql-common/testing';
import { anAccount, anApiKey, anEnding, creationOf, receiptOf, requestId, STORE_ALICE, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { assertSoundBooks, postgresFixture, processNamed } from './test-support/postgres-stores.js';

const GATEWAYS = ['a', 'b', 'c'] as const;
const LEASE_END = later(STORE_NOON, FIRST_LEASE_MILLISECONDS);
const postgres = postgresFixture();

describe('an installation of three gateways with one database', () => {
  let drivers: readonly StoreDriver[];
  let driver: StoreDriver;
  let stores: readonly SqlStore[];

  beforeEach(async () => {
    const url = await postgres.lendStoreDatabase();
    stores = await Promise.all(GATEWAYS.map((name) => postgres.open(url, { processId: processNamed(name) })));
    drivers = stores.map((store) => new StoreDriver(store));
    driver = gateway(0);
    await StoreDriver.start(() => driver.store);
  });

  afterEach(async () => {
    await assertSoundBooks(driver.store);
    await Promise.all(drivers.map((each) => each.close()));
  });

  /** The gateway for a request's number, so that requests alternate between the gateways. */
  function gateway(number: number): StoreDriver {
    const chosen = drivers[number % GATEWAYS.length];
    if (chosen === undefined) throw new Error('the gateways are open');
    return chosen;
  }

  it('serves exactly seven of a thousand simultaneous requests if the balance covers seven', async () => {
    await driver.credit('14');
    const outcomes = await Promise.all(Array.from({ length: 1000 }, (_, number) => gateway(number).reserve(number, '2')));
    expect(outcomes.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(7);
    expect(outcomes.filter(({ outcome }) => outcome === 'insufficient')).toHaveLength(993);
    expect(await driver.balance()).toBe('14/14/0');
  });

  it('applies an account’s new price list on every gateway, soon after one gateway has set it', async () => {
    const key = anApiKey();
    await driver.store.keys.create(creationOf(key));
    const listOn = async (number: number) => (await gateway(number).store.keys.findByHash(key.hash))?.account.priceList;
    expect([await listOn(0), await listOn(1), await listOn(2)]).toEqual([null, null, null]);
    await driver.store.accounts.change(STORE_ALICE, { priceList: 'partners' as PriceListId }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    await until(async () => await listOn(1) === 'partners' && await listOn(2) === 'partners');
    expect(await listOn(0)).toBe('partners');
  });

  it('creates exactly one key in 100 concurrent creations if the account may have one more', async () => {
    expect(await createAtOnce(stores)).toEqual({ 'created': 1, 'quota-exceeded': 99 });
    expect(await driver.store.keys.listByAccount(STORE_ALICE)).toHaveLength(5);
  });

  it('gives a key one successor in 100 concurrent rotations', async () => {
    expect(await rotateAtOnce(stores)).toEqual({ 'rotated': 1, 'not-active': 99 });
    expect(await driver.store.keys.listByAccount(STORE_ALICE)).toHaveLength(2);
  });

  it('serves exactly seven of a thousand simultaneous requests of a key if its limit covers seven', async () => {
    await driver.credit('10000');
    const budget = budgetAt({ lineage: 'key_1' as ApiKeyId, amount: ServiceTokens.parse('14'), period: 'day' }, STORE_NOON);
    const outcomes = await Promise.all(Array.from({ length: 1000 }, (_, number) => gateway(number).reserve(number, '2', { budget })));
    expect(outcomes.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(7);
    expect(outcomes.filter(({ outcome }) => outcome === 'key-limit')).toHaveLength(993);
    expect(await driver.balance()).toBe('10000/14/9986');
  });

  it('charges every request of a busy account once, whichever gateway serves it', async () => {
    await driver.credit('1000');
    await Promise.all(Array.from({ length: 300 }, (_, number) => gateway(number).serve(number, anEnding(1))));
    expect(await driver.balance()).toBe('700/0/700');
  });

  it('serves many accounts at once, in a different order on each gateway', async () => {
    const ids = Array.from({ length: 10 }, (_, number) => `acct_${number}` as AccountId);
    for (const [number, id] of ids.entries()) {
      await driver.store.accounts.create(anAccount({ id, email: `${number}@example.test` }), SYSTEM_ACTOR);
      await driver.credit('100', id);
    }
    await Promise.all(Array.from({ length: 300 }, (_, number) => {
      const place = number % GATEWAYS.length === 0 ? number : 300 - number;
      return gateway(number).serve(number, anEnding(1), { accountId: ids[place % ids.length] ?? STORE_ALICE });
    }));
    const left = await Promise.all(ids.map((id) => driver.balance(id)));
    expect(left.map((balance) => Number(balance.split('/')[0])).reduce((sum, posted) => sum + posted, 0)).toBe(700);
  });

  it('gives a request one record, even if all gateways settle it at the same time', async () => {
    await driver.credit('100');
    await driver.reserve(1, '30');
    const settlements = await Promise.all([10, 11, 12].map((tokens, number) => gateway(number).settle(1, anEnding(tokens))));
    expect(new Set(settlements.map((settlement) => receiptOf(settlement).join())).size).toBe(1);
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).not.toBeNull();
  });

  it('ends each reservation of a dead gateway once although two gateways sweep after its lease', async () => {
    await driver.credit('1000');
    await Promise.all(Array.from({ length: 250 }, (_, number) => gateway(number).reserve(number, '2', { owner: processNamed('c') })));
    const sweepers = [gateway(0), gateway(1)];
    expect(await Promise.all(sweepers.map(({ store }) => store.ledger.sweep(later(LEASE_END, -1))))).toEqual([[], []]);
    const swept = await Promise.all(sweepers.map(({ store }) => store.ledger.sweep(LEASE_END)));
    expect(new Set(swept.flat().map(({ reference }) => reference)).size).toBe(250);
    expect(swept.flat()).toHaveLength(250);
    expect(await driver.balance()).toBe('1000/0/1000');
  });

  it('charges a request once, not twice, when two gateways settle it after a sweep', async () => {
    await driver.credit('100');
    await driver.reserve(1, '30', { owner: processNamed('c') });
    expect(await driver.store.ledger.sweep(LEASE_END)).toHaveLength(1);
    const late = await Promise.all([gateway(2).settle(1, anEnding(5)), gateway(1).settle(1, anEnding(5))]);
    expect(late.map((settlement) => receiptOf(settlement)[0])).toEqual(['5', '5']);
    expect(await driver.balance()).toBe('95/0/95');
  });

  it('does not sweep the reservations of a gateway that renews its lease', async () => {
    await driver.credit('100');
    await driver.reserve(1, '30', { owner: processNamed('c') });
    await gateway(2).renewLease(processNamed('c'), later(LEASE_END, 1));
    expect(await driver.store.ledger.sweep(LEASE_END)).toHaveLength(0);
  });
});
