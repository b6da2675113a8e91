import { expect, it } from '@jest/globals';
import { later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type ProcessId } from '@tollgate/core';
import { anEnding, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { onDatabase, postgresFixture } from '../../test-support/postgres-stores.js';

const REQUESTS = 30;

const postgres = postgresFixture();

it('gateways that sum up beside settlements, and each other, come to the sums of the roll-ups', async () => {
  const url = await postgres.createStoreDatabase();
  const driver = await StoreDriver.start(() => postgres.open(url));
  await driver.credit('1000');
  const other = await postgres.open(url, { processId: 'process_other' as ProcessId });
  const stores = [driver.store, other];
  let minute = 0;
  for (let first = 1; first <= REQUESTS; first += 5) {
    minute += 2;
    const at = later(STORE_NOON, minute * MILLISECONDS_PER_MINUTE);
    const served = Array.from({ length: 5 }, (_none, index) =>
      driver.serve(first + index, anEnding(first + index, { endedAt: later(STORE_NOON, -(index % 3) * MILLISECONDS_PER_DAY) })));
    await Promise.all([...served, ...stores.map(({ usageTotals }) => usageTotals.sumUp(at))]);
  }
  for (const hours of [1, 2]) expect(await other.usageTotals.sumUp(later(STORE_NOON, hours * MILLISECONDS_PER_HOUR))).toBe(true);
  const breakdown = await driver.store.usageTotals.breakdown({
    from: later(STORE_NOON, -4 * MILLISECONDS_PER_DAY), to: later(STORE_NOON, MILLISECONDS_PER_DAY), grouping: { unit: 'day', group: 'model' }, top: 5, model: null,
  });
  const rollUps = await onDatabase(url, 'select day, sum(requests)::int as requests, sum(charge)::bigint::text as charge from usage_daily group by day order by day');
  expect(breakdown?.slices.map(({ period, sums }) => ({ day: period, requests: sums.requests, charge: sums.charged.toUnits().toString() }))).toEqual(rollUps);
  expect(breakdown?.total.requests).toBe(REQUESTS);
  await other.close();
  await driver.close();
}, 30_000);
