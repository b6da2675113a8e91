import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '@tollgate/core';
import { anEnding, reservationId, StoreDriver, until } from '@tollgate/testkit';
import { OTHERS } from './test-support/lent-databases.js';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();

describe('a request on PostgreSQL', () => {
  /** Number of calls of the money function by the task, read after the connections have closed. */
  async function callsOf(task: (driver: StoreDriver) => Promise<unknown>): Promise<number> {
    const url = await postgres.createStoreDatabase();
    await onDatabase(url, "do $$ begin execute format('alter database %I set track_functions = pl', current_database()); end $$");
    const driver = await StoreDriver.start(() => postgres.open(url));
    await driver.credit('1000');
    await task(driver);
    await driver.close();
    await until(async () => (await onDatabase(url, OTHERS)).length === 0);
    const [row] = await onDatabase(url, "select calls::int from pg_stat_user_functions where funcname = 'tollgate_money_1'");
    return Number(row?.['calls'] ?? 0);
  }

  it('needs one database call to reserve, one per extension and one to settle', async () => {
    expect(await callsOf(async (driver) => {
      await driver.reserve(1, '3');
      await driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('1'));
      await driver.settle(1, anEnding(4));
    })).toBe(3);
  });

  it('shares database calls with other operations of the same event loop turn', async () => {
    expect(await callsOf(async (driver) => {
      await Promise.all(Array.from({ length: 100 }, (_, number) => driver.reserve(number, '3')));
      await Promise.all(Array.from({ length: 100 }, (_, number) => driver.settle(number, anEnding(2))));
    })).toBe(2);
  });
});
