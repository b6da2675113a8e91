import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { later, MILLISECONDS_PER_DAY, type UsageGrouping, type UsageSummaryQuery } from '@tollgate/core';
import { MAX_QUICK_SUMMARY } from '@tollgate/sql-common';
import { anEnding, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const MORE_TURNS_THAN_A_BLOCKED_THREAD_TAKES = 10;

let place: StoreFile;
let driver: StoreDriver;

beforeEach(async () => {
  place = storeFile();
  driver = await StoreDriver.start(() => place.openWithThread());
  await driver.credit('10');
  await driver.serve(1, anEnding(1), { attribution: 'ann' });
});

afterEach(async () => {
  await driver.close();
  place.remove();
});

/** Copies the existing sums, under other keys and users. */
function copySums(copies: number): void {
  const direct = new Database(place.file);
  direct.pragma('foreign_keys = OFF');
  for (const [table, column] of [['usage_daily', 'key_id'], ['usage_daily_users', 'attribution']] as const) {
    const names = (direct.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name);
    direct.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${copies})
      INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => (name === column ? "'copy ' || n" : name)).join(', ')} FROM ${table}, numbers`);
  }
  direct.close();
}

function queryOf(groupBy: UsageGrouping): UsageSummaryQuery {
  const noon = STORE_NOON;
  return { accountId: STORE_ALICE, from: later(noon, -5 * MILLISECONDS_PER_DAY), to: later(noon, 5 * MILLISECONDS_PER_DAY), groupBy, limit: 3 };
}

describe('a summary that needs several reads', () => {
  it.each<[UsageGrouping, number]>([['key', 3], ['user', 3], ['model', 1], ['day', 1]])('by %s includes the sums of all reads', async (groupBy, groups) => {
    const [one] = await driver.store.usage.summary(queryOf(groupBy));
    copySums(MAX_QUICK_SUMMARY);
    const buckets = await driver.store.usage.summary(queryOf(groupBy));
    expect(buckets).toHaveLength(groups);
    expect(buckets[0]?.requests).toBe((one?.requests ?? 0) * (groups === 1 ? MAX_QUICK_SUMMARY + 1 : 1));
  });

  it('includes the requests settled before it started', async () => {
    copySums(MAX_QUICK_SUMMARY);
    const before = await driver.store.usage.summary(queryOf('day'));
    await driver.serve(2, anEnding(1), { attribution: 'ann' });
    const after = await driver.store.usage.summary(queryOf('day'));
    expect((after[0]?.requests ?? 0) - (before[0]?.requests ?? 0)).toBe(1);
  });

  it('does not block the event loop', async () => {
    copySums(60_000);
    let [turns, isDone] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    turn();
    const buckets = await driver.store.usage.summary(queryOf('user'));
    isDone = true;
    expect(buckets).toHaveLength(3);
    expect(turns).toBeGreaterThan(MORE_TURNS_THAN_A_BLOCKED_THREAD_TAKES);
  });
});
