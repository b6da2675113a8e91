import { expect, it } from '@jest/globals';
import { later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type ProcessId } from '@tollgate/core';
import { anEnding, OWNER, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const REQUESTS = 30;

/** Makes every read of late settlements fail on a connection with a statement timeout. */
const LIMITED_READS_FAIL = [
  `create function has_no_time_limit() returns boolean language plpgsql as
    'begin if current_setting(''statement_timeout'') <> ''0'' then raise exception ''limited''; end if; return true; end'`,
  'alter table late_settlements rename to settled_late',
  'create view late_settlements as select * from settled_late where has_no_time_limit()',
];

const postgres = postgresFixture();

it('totals include every settlement once after two gateways updated them during settlements', async () => {
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

it('totals are updated even if the search for changed days exceeds the statement timeout', async () => {
  const url = await postgres.createStoreDatabase();
  const driver = await StoreDriver.start(() => postgres.open(url));
  await driver.credit('10');
  await driver.reserve(1, '5');
  await driver.store.ledger.retire(OWNER);
  await driver.store.ledger.sweep(STORE_NOON);
  await driver.settle(1, anEnding(7));
  await onDatabase(url, ...LIMITED_READS_FAIL);
  expect(await driver.store.usageTotals.sumUp(later(STORE_NOON, MILLISECONDS_PER_HOUR))).toBe(true);
  await driver.close();
});
