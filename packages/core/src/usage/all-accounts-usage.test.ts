import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import { anEnding, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { later, MILLISECONDS_PER_DAY } from '../primitives/time.js';
import { AllAccountsUsage, TOTALS_FRESH_MILLISECONDS, TOTALS_TIMEOUT_MILLISECONDS } from './all-accounts-usage.js';
import type { TotalsQuery, UsageTotals } from './usage-totals.js';

const QUERY: TotalsQuery = {
  from: later(STORE_NOON, -MILLISECONDS_PER_DAY), to: later(STORE_NOON, MILLISECONDS_PER_DAY), grouping: { unit: 'day', group: null }, top: 1, model: null,
};

let clock: ManualClock;
let store: MemoryStore;
let driver: StoreDriver;

beforeEach(async () => {
  clock = new ManualClock(STORE_NOON);
  store = createMemoryStore();
  driver = await StoreDriver.start(() => store);
  await driver.credit('100');
  await driver.serve(1, anEnding(1));
});

async function shown(usage: AllAccountsUsage): Promise<readonly [requests: number, asOf: number]> {
  const { total, asOf } = await usage.breakdown(QUERY);
  return [total.requests, asOf];
}

/** `sumUp` blocks until `letGo` is called. */
function slowTotals(): { readonly totals: UsageTotals; readonly runs: () => number; readonly letGo: () => void } {
  let runs = 0;
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { usageTotals } = store;
  const totals: UsageTotals = {
    summedAt: () => usageTotals.summedAt(), hasNewSettlements: () => usageTotals.hasNewSettlements(), breakdown: (query) => usageTotals.breakdown(query),
    sumUp: async (at) => {
      runs += 1;
      await held;
      return usageTotals.sumUp(at);
    },
  };
  return { totals, runs: () => runs, letGo };
}

async function turn(): Promise<void> {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
}

describe('the usage of all accounts', () => {
  it('is recomputed when it is viewed, at most once a minute', async () => {
    const usage = new AllAccountsUsage(store.usageTotals, clock);
    expect(await shown(usage)).toEqual([1, STORE_NOON]);
    await driver.serve(2, anEnding(2));
    clock.advance(TOTALS_FRESH_MILLISECONDS - 1);
    expect(await shown(usage)).toEqual([1, STORE_NOON]);
    clock.advance(1);
    expect(await shown(usage)).toEqual([2, later(STORE_NOON, TOTALS_FRESH_MILLISECONDS)]);
  });

  it('is recomputed in the background only after new settlements', async () => {
    const usage = new AllAccountsUsage(store.usageTotals, clock);
    await usage.catchUp();
    clock.advance(MILLISECONDS_PER_DAY);
    await usage.catchUp();
    expect(await store.usageTotals.summedAt()).toBe(STORE_NOON);
    await driver.serve(2, anEnding(2));
    await usage.catchUp();
    expect(await store.usageTotals.summedAt()).toBe(clock.now());
  });

  it('is shown as of the last run while a new run, shared by all viewers, is slow', async () => {
    await store.usageTotals.sumUp(STORE_NOON);
    await driver.serve(2, anEnding(2));
    clock.advance(TOTALS_FRESH_MILLISECONDS);
    const { totals, runs, letGo } = slowTotals();
    const usage = new AllAccountsUsage(totals, clock);
    const looks = [shown(usage), shown(usage)];
    await turn();
    clock.advance(TOTALS_TIMEOUT_MILLISECONDS);
    expect([await Promise.all(looks), runs()]).toEqual([[[1, STORE_NOON], [1, STORE_NOON]], 1]);
    letGo();
    await turn();
    expect(await shown(usage)).toEqual([2, later(STORE_NOON, TOTALS_FRESH_MILLISECONDS)]);
  });

  it('is refused with server_busy while the first run takes long', async () => {
    const { totals, letGo } = slowTotals();
    const usage = new AllAccountsUsage(totals, clock);
    const look = usage.breakdown(QUERY);
    await turn();
    clock.advance(TOTALS_TIMEOUT_MILLISECONDS);
    await expect(look).rejects.toMatchObject({ code: 'server_busy', retryAfterSeconds: 10 });
    letGo();
  });
});
