import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type BackgroundEvents, type Condition, later, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { creationOf, numberedKey, readAll, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { createLog, DISCARDED_LOG } from '../observability/create-log.js';
import { CONDITION_WATCH_MILLISECONDS, ConditionWatch } from './condition-watch.js';

let clock: ManualClock;
let store: SqlStore;
let driver: StoreDriver;
let conditions: readonly Condition[];
let watch: ConditionWatch;

beforeEach(async () => {
  clock = new ManualClock(STORE_NOON);
  store = await storeInMemory(clock);
  driver = await StoreDriver.start(() => store);
  conditions = [];
  watch = new ConditionWatch({ backgroundEvents: store.backgroundEvents, alerts: { conditions: () => conditions }, clock, log: createLog('silent', DISCARDED_LOG) });
});
afterEach(async () => {
  await watch.stop();
  await driver.close();
});

const types = async () => (await readAll(store.events)).map(({ type }) => type).filter((type) => !type.endsWith('.created'));

it('an event is stored when an alert condition begins, when it ends, and when a key expires', async () => {
  await store.keys.create(creationOf(numberedKey(1, { expiresAt: later(STORE_NOON, 2 * MILLISECONDS_PER_MINUTE) })));
  watch.start();
  conditions = [{ kind: 'upstream-down', upstreamId: 'primary', upstreamModel: 'large' }];
  clock.advance(CONDITION_WATCH_MILLISECONDS);
  await until(async () => (await types()).length === 1);
  await watch.run();
  conditions = [];
  clock.advance(MILLISECONDS_PER_MINUTE);
  await watch.run();
  expect(await types()).toEqual(['upstream.down', 'upstream.up']);
  clock.advance(MILLISECONDS_PER_MINUTE);
  await watch.run();
  await watch.run();
  expect(await types()).toEqual(['upstream.down', 'upstream.up', 'key.expired']);
});

it('the expiry of a key is stored as an event even if the end of an alert condition cannot be stored', async () => {
  await store.keys.create(creationOf(numberedKey(1, { expiresAt: later(STORE_NOON, 1) })));
  clock.advance(1);
  const backgroundEvents = Object.assign(Object.create(store.backgroundEvents) as BackgroundEvents, { conditionsEnd: () => Promise.reject(new Error('one row is unreadable')) });
  const failing = new ConditionWatch({ backgroundEvents, alerts: { conditions: () => [] }, clock, log: createLog('silent', DISCARDED_LOG) });
  await expect(failing.run()).rejects.toThrow('one row is unreadable');
  expect(await types()).toEqual(['key.expired']);
});
