import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type BalanceAlerts, Catalogue, MILLISECONDS_PER_DAY, parseAlertThresholds, ServiceTokens } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { readAll, STORE_ALICE, STORE_NOON, StoreDriver, tokens, until } from '@tollgate/testkit';
import { createLog, DISCARDED_LOG } from '../observability/create-log.js';
import { testCatalogue } from '../test-support/test-catalogue.js';
import { EVENT_KEEPER_MILLISECONDS, EventKeeper, PRUNE_MILLISECONDS } from './event-keeper.js';

let clock: ManualClock;
let store: SqlStore;
let driver: StoreDriver;
let minimum: string;
let keeper: EventKeeper;

beforeEach(async () => {
  clock = new ManualClock(STORE_NOON);
  store = await storeInMemory(clock);
  driver = await StoreDriver.start(() => store);
  minimum = '2';
  keeper = new EventKeeper({
    events: store.events, alerts: store.alerts, clock, log: createLog('silent', DISCARDED_LOG),
    catalogue: { current: () => new Catalogue({ ...testCatalogue(), minimumReservation: ServiceTokens.parse(minimum) }) },
    settings: { eventsKeptMilliseconds: MILLISECONDS_PER_DAY, lowBalanceAlerts: parseAlertThresholds('10') ?? [] },
  });
});
afterEach(async () => {
  await keeper.stop();
  await driver.close();
});

it('balance alerts use the configured thresholds and the smallest reservation of the current catalogue', async () => {
  await keeper.run();
  expect(await store.alerts.find(STORE_ALICE)).toEqual({ low: tokens('10'), chosen: null, exhaustedBelow: ServiceTokens.parse('2') });
  keeper.start();
  minimum = '3';
  clock.advance(EVENT_KEEPER_MILLISECONDS);
  await until(async () => (await store.alerts.find(STORE_ALICE))?.exhaustedBelow.toString() === '3');
});

it('events get positions in the feed even if the alert thresholds cannot be applied', async () => {
  const failing = new EventKeeper({
    events: store.events, clock, log: createLog('silent', DISCARDED_LOG), catalogue: { current: () => new Catalogue(testCatalogue()) }, settings: { eventsKeptMilliseconds: MILLISECONDS_PER_DAY, lowBalanceAlerts: [] },
    alerts: Object.assign(Object.create(store.alerts) as BalanceAlerts, { applyPolicy: () => Promise.reject(new Error('one row is unreadable')) }),
  });
  await expect(failing.run()).rejects.toThrow('one row is unreadable');
  expect(await store.events.position()).toBe(0);
  expect(await readAll(store.events)).not.toEqual([]);
});

it('events get positions in the feed before a client reads it; expired events are removed once an hour', async () => {
  const left = async () => (await readAll(store.events)).map(({ type }) => type);
  // Nothing has expired yet.
  await keeper.run();
  expect(await left()).toEqual(['account.created']);
  await driver.credit('1');
  await driver.credit('2');
  await keeper.run();
  expect(await store.events.position()).toBe(0);
  clock.advance(MILLISECONDS_PER_DAY);
  await keeper.run();
  clock.advance(PRUNE_MILLISECONDS - 1);
  await keeper.run();
  expect(await left()).toEqual(['balance.booked', 'balance.booked']);
  clock.advance(1);
  await keeper.run();
  expect(await left()).toEqual(['balance.booked']);
});
