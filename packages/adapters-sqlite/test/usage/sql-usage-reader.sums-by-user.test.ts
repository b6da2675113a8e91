import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { instant, later, MILLISECONDS_PER_DAY, parseTokenRate, type UsageSummaryQuery } from '@tollgate/core';
import { anEnding, OWNER, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const QUERY: UsageSummaryQuery = {
  accountId: STORE_ALICE, from: STORE_NOON, to: later(STORE_NOON, 2 * MILLISECONDS_PER_DAY), groupBy: 'user', limit: 100,
};

type Bucket = readonly [user: string | null, requests: number, charged: string, usd: string];

describe('sums by user', () => {
  let place: StoreFile;
  let driver: StoreDriver;

  beforeEach(async () => {
    place = storeFile();
    driver = await StoreDriver.start(() => place.open());
    await driver.credit('100');
  });

  afterEach(async () => {
    await driver.close();
    place.remove();
  });

  async function summed(differences: Partial<UsageSummaryQuery> = {}): Promise<readonly Bucket[]> {
    const buckets = await driver.store.usage.summary({ ...QUERY, ...differences });
    return buckets.map(({ group, requests, charged, chargedUsd }) => [group, requests, charged.toString(), chargedUsd]);
  }

  function direct<Result>(work: (database: Database.Database) => Result): Result {
    const database = new Database(place.file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  it('have no group without a user if every request names one', async () => {
    await driver.serve(1, anEnding(10), { attribution: 'ann' });
    expect(await summed()).toEqual([['ann', 1, '10', '0.1']]);
  });

  it('contain one group of all requests without a user, each at its own rate', async () => {
    await driver.serve(1, anEnding(10), { attribution: 'ann' });
    await driver.serve(2, anEnding(20));
    await driver.serve(3, anEnding(30), { usdPerServiceToken: parseTokenRate('0.02') });
    await driver.serve(4, anEnding(5, { endedAt: instant(Date.UTC(2026, 10, 19)) }), { attribution: 'ann' });
    expect(await summed()).toEqual([[null, 2, '50', '0.8'], ['ann', 2, '15', '0.15']]);
    expect(await summed({ limit: 1 })).toEqual([[null, 2, '50', '0.8']]);
  });

  it('include late settlements', async () => {
    await driver.reserve(1, '5', { facts: { attribution: 'ann' } });
    await driver.reserve(2, '5');
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    expect(await summed()).toEqual([['ann', 1, '0', '0'], [null, 1, '0', '0']]);
    await driver.settle(1, anEnding(7));
    await driver.settle(2, anEnding(8));
    expect(await summed()).toEqual([[null, 1, '8', '0.08'], ['ann', 1, '7', '0.07']]);
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ differences: [] });
  });

  it('are stored only for users that requests name', async () => {
    await driver.serve(1, anEnding(10));
    expect(direct((database) => database.prepare('SELECT count(*) FROM usage_daily_users').pluck().get())).toBe(0);
  });
});
