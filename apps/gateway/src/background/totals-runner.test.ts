import { expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { AllAccountsUsage, instant } from '@tollgate/core';
import { anEnding, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { TOTALS_INTERVAL_MILLISECONDS, TotalsRunner } from './totals-runner.js';

it('the totals runner adds up new usage records once an hour until it is stopped', async () => {
  const clock = new ManualClock(STORE_NOON);
  const store = createMemoryStore();
  const driver = await StoreDriver.start(() => store);
  await driver.credit('10');
  const runner = new TotalsRunner({ allUsage: new AllAccountsUsage(store.usageTotals, clock), clock, log: createLog('silent', { write: () => undefined }) });
  runner.start();
  const afterAnHour = async () => {
    clock.advance(TOTALS_INTERVAL_MILLISECONDS);
    await new Promise(setImmediate);
    const summedAt = await store.usageTotals.summedAt();
    return summedAt === null ? null : (summedAt - STORE_NOON) / TOTALS_INTERVAL_MILLISECONDS;
  };
  expect(await afterAnHour()).toBeNull();
  await driver.serve(1, anEnding(1, { endedAt: instant(STORE_NOON) }));
  expect([await afterAnHour(), await afterAnHour()]).toEqual([2, 2]);
  await runner.stop();
  await driver.serve(2, anEnding(1));
  expect(await afterAnHour()).toBe(2);
});
