import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type Demand, instant, MILLISECONDS_PER_DAY, type PlanLimits, type RequestId, StoreUnavailable, tokenCount } from '@tollgate/core';
import type { SqlStore } from '@tollgate/sql-common';
import { accountEvents, STORE_ALICE, StoreDriver, until } from '@tollgate/testkit';
import { createLog, DISCARDED_LOG } from './create-log.js';
import { CapWatch } from './cap-watch.js';

const NOON = instant(Date.UTC(2026, 10, 18, 12));
const NO_LIMITS: PlanLimits = { maxContextTokens: tokenCount(1_000_000), activeKeys: 5, requestsPerMinute: 1_000, tokensPerMinute: tokenCount(1_000_000), concurrentRequests: 1_000, tokensPerDay: null, tokensPerMonth: null };

let clock: ManualClock;
let store: SqlStore;
let driver: StoreDriver;
let failures: number;
let watch: CapWatch;
let requests = 0;

beforeEach(async () => {
  clock = new ManualClock(NOON);
  store = await storeInMemory(clock);
  driver = await StoreDriver.start(() => store);
  failures = 0;
  watch = new CapWatch({
    limiter: new MemoryRateLimiter({ clock, usage: store.usage }), clock, log: createLog('silent', DISCARDED_LOG),
    backgroundEvents: {
      ...store.backgroundEvents,
      capReached: (cap, at) => {
        if (failures === 0) return store.backgroundEvents.capReached(cap, at);
        failures -= 1;
        return Promise.reject(new StoreUnavailable('away'));
      },
    },
  });
});
afterEach(() => driver.close());

function admit(tokens: number, limits: Partial<PlanLimits>) {
  requests += 1;
  const demand: Demand = { accountId: STORE_ALICE, requestId: `req_${requests}` as RequestId, limits: { ...NO_LIMITS, ...limits }, incident: null, kind: 'generation', tokens: tokenCount(tokens) };
  return watch.admit(demand);
}

const told = async () => (await accountEvents(store.events, STORE_ALICE, 'account.')).filter(([type]) => type === 'account.cap_reached').map(([, data]) => data);

it('the first refusal by a cap in a day or month stores an event, unless the request alone exceeds the cap', async () => {
  const limits = { tokensPerDay: tokenCount(100), tokensPerMonth: tokenCount(150) };
  expect((await admit(80, limits)).admitted).toBe(true);
  expect((await admit(101, limits)).admitted).toBe(false);
  expect((await admit(20, limits)).admitted).toBe(true);
  expect(await told()).toEqual([]);
  for (let turn = 0; turn < 3; turn += 1) expect((await admit(10, limits)).admitted).toBe(false);
  await until(async () => (await told()).length > 0);
  expect(await told()).toEqual([{ period: '2026-11-18', limit: 100, used: 100 }]);
  expect((await admit(60, { tokensPerMonth: tokenCount(150) })).admitted).toBe(false);
  await until(async () => (await told()).length > 1);
  clock.advance(MILLISECONDS_PER_DAY);
  expect((await admit(10, { tokensPerDay: tokenCount(100) })).admitted).toBe(false);
  await until(async () => (await told()).length > 2);
  expect((await told()).map((data) => data['period'])).toEqual(['2026-11-18', '2026-11', '2026-11-19']);
});

it('an event about a reached cap that could not be stored is stored at the next refusal', async () => {
  failures = 1;
  const limits = { tokensPerDay: tokenCount(100) };
  await admit(100, limits);
  await admit(1, limits);
  await until(() => failures === 0);
  await new Promise(setImmediate);
  expect(await told()).toEqual([]);
  await admit(1, limits);
  await until(async () => (await told()).length > 0);
});
