import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { later, MILLISECONDS_PER_DAY, startOfNextUtcDay } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { accountEvents, anEnding, STORE_ALICE, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { createLog, DISCARDED_LOG } from '../observability/create-log.js';
import { CLOSING_MILLISECONDS, USAGE_KEEPER_MILLISECONDS, UsageKeeper } from './usage-keeper.js';

const MIDNIGHT = startOfNextUtcDay(STORE_NOON);

let clock: ManualClock;
let store: SqlStore;
let driver: StoreDriver;
let keeper: UsageKeeper;

function keeperOver({ usageFeed }: SqlStore): UsageKeeper {
  return new UsageKeeper({ usageFeed, clock, log: createLog('silent', DISCARDED_LOG) });
}

beforeEach(async () => {
  clock = new ManualClock(STORE_NOON);
  store = await storeInMemory(clock);
  driver = await StoreDriver.start(() => store);
  await driver.credit('100');
  keeper = keeperOver(store);
});
afterEach(async () => {
  await keeper.stop();
  await driver.close();
});

const closedDays = () => accountEvents(store.events, STORE_ALICE, 'usage.');

it('settlements are numbered in the background, before a client reads the usage feed', async () => {
  await driver.serve(1, anEnding(1));
  await keeper.run();
  expect(await store.usageFeed.position()).toBe(0);
});

it('the event that closes a day of usage is stored once, a minute after the day ends, even by several gateways', async () => {
  await driver.serve(1, anEnding(3));
  clock.advance(MIDNIGHT - STORE_NOON + CLOSING_MILLISECONDS - 1);
  await keeper.run();
  expect(await closedDays()).toEqual([]);
  keeper.start();
  clock.advance(USAGE_KEEPER_MILLISECONDS);
  await until(async () => (await closedDays()).length > 0);
  await Promise.all([keeperOver(store).run(), keeperOver(store).run()]);
  expect(await closedDays()).toEqual([['usage.day_closed', { day: '2026-11-18', settlements: 1, late_settlements: 0, svc_tokens_debited: '3' }]]);
});

it('a settlement counts for the day on which its request ended, even if it is made on a later day', async () => {
  await keeper.run();
  await driver.serve(1, anEnding(3));
  clock.advance(2 * MILLISECONDS_PER_DAY);
  await driver.serve(2, anEnding(4, { endedAt: later(STORE_NOON, MILLISECONDS_PER_DAY) }));
  await keeper.run();
  expect((await closedDays()).map(([, { day, svc_tokens_debited: debited }]) => [day, debited])).toEqual([['2026-11-18', '3'], ['2026-11-19', '4']]);
});
