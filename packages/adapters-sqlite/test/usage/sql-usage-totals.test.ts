import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, type ProcessId, TOKEN_COUNTS, type TotalsQuery } from '@tollgate/core';
import { ACCOUNTS_AT_A_TIME } from '@tollgate/sql-common';
import { anEnding, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const DAY: TotalsQuery = {
  from: later(STORE_NOON, -MILLISECONDS_PER_DAY), to: later(STORE_NOON, MILLISECONDS_PER_DAY), grouping: { unit: 'day', group: 'account' }, top: 2, model: null,
};

let place: StoreFile;
let driver: StoreDriver;

beforeEach(async () => {
  place = storeFile();
  driver = await StoreDriver.start(() => place.open());
  await driver.credit('100');
  await driver.serve(1, anEnding(1));
});

afterEach(async () => {
  await driver.close();
  place.remove();
});

function direct<Result>(work: (database: Database.Database) => Result): Result {
  const database = new Database(place.file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function sumUp(minutes: number): Promise<boolean> {
  return driver.store.usageTotals.sumUp(later(STORE_NOON, minutes * MILLISECONDS_PER_MINUTE));
}

async function total(): Promise<readonly [requests: number | undefined, charged: string | undefined, asOf: Instant | undefined]> {
  const breakdown = await driver.store.usageTotals.breakdown(DAY);
  return [breakdown?.total.requests, breakdown?.total.charged.toString(), breakdown?.asOf];
}

function versions(): unknown {
  return direct((database) => database.prepare('SELECT DISTINCT version FROM usage_totals ORDER BY 1').pluck().all());
}

/** Copies an account and its daily sums. */
function copyAccounts(copies: number): void {
  direct((database) => {
    database.pragma('foreign_keys = OFF');
    const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies})`;
    for (const [table, id, unique] of [['accounts', 'id', 'email_folded'], ['usage_daily', 'account_id', '']] as const) {
      const names = (database.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name);
      const values = names.map((name) => (name === id || name === unique ? `printf('acct_copy_%05d', n)` : name));
      database.exec(`${numbers} INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${table}, numbers WHERE ${id} = 'acct_alice'`);
    }
  });
}

describe('daily totals of all accounts', () => {
  it('include any number of accounts', async () => {
    const copies = 2 * ACCOUNTS_AT_A_TIME + 50;
    copyAccounts(copies);
    expect(await sumUp(0)).toBe(true);
    expect(await total()).toEqual([copies + 1, String(copies + 1), STORE_NOON]);
    const byAccount = await driver.store.usageTotals.breakdown(DAY);
    expect(byAccount?.series.map(({ group, groups }) => [group, groups])).toEqual([['acct_alice', 1], ['acct_copy_00001', 1], [null, copies - 1]]);
    const byModel = await driver.store.usageTotals.breakdown({ ...DAY, grouping: { unit: null, group: 'model' } });
    expect(byModel?.slices.map(({ group, sums }) => [group, sums.requests])).toEqual([['small', copies + 1]]);
  });

  it('leave no rows of earlier versions behind', async () => {
    copyAccounts(3 * ACCOUNTS_AT_A_TIME);
    await sumUp(0);
    await driver.serve(2, anEnding(2));
    await sumUp(1);
    expect([await total(), versions()]).toEqual([[602, '603', later(STORE_NOON, MILLISECONDS_PER_MINUTE)], [2]]);
  });

  it('survive a restart, and are updated by one of two processes at a time', async () => {
    await sumUp(0);
    await driver.close();
    driver = new StoreDriver(await place.open());
    expect(await total()).toEqual([1, '1', STORE_NOON]);
    await driver.serve(2, anEnding(2));
    const beside = await place.open('process_beside' as ProcessId);
    const at = later(STORE_NOON, MILLISECONDS_PER_MINUTE);
    const runs = await Promise.all([driver.store.usageTotals.sumUp(at), beside.usageTotals.sumUp(at)]);
    await beside.close();
    expect([runs.filter((run) => run), await total()]).toEqual([[true], [2, '3', at]]);
  });

  it('stay unchanged if the updating process is killed, and are updated by another one a minute later', async () => {
    await sumUp(0);
    await driver.serve(2, anEnding(2));
    direct((database) => database.exec(`UPDATE usage_totals_state SET version = 2, claimed_until = ${later(STORE_NOON, 2 * MILLISECONDS_PER_MINUTE)};
      INSERT INTO usage_totals SELECT day, 2, dimension, part, usd_rate, 50, ${TOKEN_COUNTS.map(() => '0').join(', ')}, 50000000 FROM usage_totals`));
    expect([await sumUp(1), await total()]).toEqual([false, [1, '1', STORE_NOON]]);
    expect([await sumUp(2), await total(), versions()]).toEqual([true, [2, '3', later(STORE_NOON, 2 * MILLISECONDS_PER_MINUTE)], [3]]);
  });

  it.each([['an account', 'account'], ['a model', 'model']])('stay unchanged if another process takes over the update after the sums of %s', async (_, dimension) => {
    await sumUp(0);
    await driver.serve(2, anEnding(2));
    direct((database) => database.exec(`CREATE TRIGGER taken_over AFTER INSERT ON usage_totals WHEN new.dimension = '${dimension}'
      BEGIN UPDATE usage_totals_state SET version = version + 1; END`));
    expect([await sumUp(1), await total()]).toEqual([false, [1, '1', STORE_NOON]]);
    direct((database) => database.exec('DROP TRIGGER taken_over'));
    expect([await sumUp(3), await total()]).toEqual([true, [2, '3', later(STORE_NOON, 3 * MILLISECONDS_PER_MINUTE)]]);
    await sumUp(4);
    expect(versions()).toEqual([5]);
  });

  it('are recomputed only for changed days', async () => {
    const days = [0, 1, 2].map((number) => later(STORE_NOON, -number * MILLISECONDS_PER_DAY));
    for (const [index, endedAt] of days.entries()) await driver.serve(10 + index, anEnding(1, { endedAt }));
    for (const minutes of [0, 20, 40]) await sumUp(minutes);
    await driver.serve(2, anEnding(2, { endedAt: later(STORE_NOON, -MILLISECONDS_PER_DAY) }));
    await sumUp(60);
    expect(direct((database) => database.prepare('SELECT day, version FROM usage_totalled_days ORDER BY day').raw().all())).toEqual([
      ['2026-11-16', 2], ['2026-11-17', 4], ['2026-11-18', 2],
    ]);
  });
});
