import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ALL_ACCOUNTS, type ApiKeyId, later, MILLISECONDS_PER_DAY, type ModelSlug, NO_USAGE_FILTERS, ServiceTokens, type UsagePage, type UsageQuery,
} from '@tollgate/core';
import { sqliteQueries, SqlUsageReader } from '@tollgate/sql-common';
import { RecordingRunner } from '@tollgate/sql-common/testing';
import { anEnding, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const MORE_TURNS_THAN_A_BLOCKED_THREAD_TAKES = 10;

const FILTERS: UsageQuery = {
  ...NO_USAGE_FILTERS, accountId: STORE_ALICE, model: 'small' as ModelSlug, keyId: 'key_rare' as ApiKeyId, attribution: 'ann', limit: 2, cursor: null,
};

interface Copies {
  readonly times: number;
  /** Milliseconds between consecutive copies. */
  readonly apart: number;
  /** SQL condition over `n`, the number of a copy. Copies for which it is true get the rare key. */
  readonly rare: string;
}

/** Copies the only usage record, and adds the copies to the daily sums. */
function copyRecord(file: string, { times, apart, rare }: Copies): void {
  const direct = new Database(file);
  direct.pragma('foreign_keys = OFF');
  const columnsOf = (table: string): readonly string[] => (direct.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name);
  const columns = columnsOf('usage_records').filter((name) => name !== 'seq');
  const changed: Readonly<Record<string, string>> = {
    request_id: `'req_copy_' || n`, reservation_id: `'rsv_copy_' || n`, ended_at: `ended_at - n * ${apart}`,
    day: `strftime('%Y-%m-%d', (ended_at - n * ${apart}) / 1000, 'unixepoch')`, key_id: `CASE WHEN ${rare} THEN 'key_rare' ELSE 'key_often' END`,
  };
  direct.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
    INSERT INTO usage_records (${columns.join(', ')}) SELECT ${columns.map((name) => changed[name] ?? name).join(', ')} FROM usage_records, numbers`);
  const summed: Readonly<Record<string, string>> = { model: 'served_by', requests: 'count(*)', account_id: 'account_id', day: 'day', key_id: 'key_id', usd_rate: 'usd_rate' };
  direct.exec(`INSERT INTO usage_daily SELECT ${columnsOf('usage_daily').map((name) => summed[name] ?? `sum(${name})`).join(', ')}
    FROM usage_records WHERE request_id LIKE 'req_copy_%' GROUP BY account_id, day, served_by, key_id, usd_rate`);
  direct.close();
}

async function pagesOf(driver: StoreDriver, query: UsageQuery): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | null = null;
  do {
    const page: UsagePage | null = await driver.store.usage.list({ ...query, cursor });
    pages.push((page?.records ?? []).map(({ requestId }) => requestId));
    cursor = page?.nextCursor ?? null;
  } while (cursor !== null);
  return pages;
}

/** Query plans of the queries that read a page. */
async function plansOf(query: UsageQuery): Promise<readonly string[]> {
  const direct = new Database(place.file).defaultSafeIntegers(true);
  const runner = new RecordingRunner(({ sql, parameters }) => ({ rows: direct.prepare(sql).all(...parameters), changes: 0 }));
  await new SqlUsageReader(sqliteQueries(), runner).list(query);
  const plans = runner.queries.flatMap(({ sql, parameters }) => direct.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters));
  direct.close();
  return plans.map(({ detail }) => detail);
}

let place: StoreFile;
let driver: StoreDriver;

beforeEach(async () => {
  place = storeFile();
  driver = await StoreDriver.start(() => place.openWithThread());
  await driver.credit('10');
});

afterEach(async () => {
  await driver.close();
  place.remove();
});

describe('a page of records of one key or model', () => {
  const DAYS = 25;
  const PER_DAY = 480;
  beforeEach(async () => {
    await driver.serve(1, anEnding(1));
    copyRecord(place.file, { times: DAYS * PER_DAY, apart: MILLISECONDS_PER_DAY / PER_DAY, rare: `n IN (1, ${DAYS * PER_DAY})` });
  });

  const QUERY: UsageQuery = { ...FILTERS, model: null, keyId: null, attribution: null };

  it.each<[string, Partial<UsageQuery>, readonly (readonly string[])[]]>([
    ['another key', {}, [['req_copy_1'], [`req_copy_${DAYS * PER_DAY}`]]],
    ['another model', { keyId: 'key_rare' as ApiKeyId, model: 'unheard-of' as ModelSlug }, [[]]],
    ['another key or model, in the requested period', { from: later(STORE_NOON, -20 * MILLISECONDS_PER_DAY) }, [['req_copy_1'], []]],
    ['another key or model, before a time in the middle of a day', { to: later(STORE_NOON, -MILLISECONDS_PER_DAY) }, [[`req_copy_${DAYS * PER_DAY}`]]],
  ])('skips days that have only records of %s', async (_, differences, expected) => {
    expect(await pagesOf(driver, { ...QUERY, keyId: 'key_rare' as ApiKeyId, ...differences })).toEqual(expected);
  });

  it('is full if enough records match, even on different days', async () => {
    const pages = await pagesOf(driver, { ...QUERY, keyId: 'key_often' as ApiKeyId, limit: 1_500 });
    expect(pages.map((page) => page.length)).toEqual([...Array.from({ length: (DAYS * PER_DAY) / 1_500 - 1 }, () => 1_500), 1_498]);
    expect(new Set(pages.flat()).size).toBe(DAYS * PER_DAY - 2);
  });
});

describe('a page of usage records with several filters', () => {
  beforeEach(async () => {
    await driver.serve(1, anEnding(1), { attribution: 'ann' });
    copyRecord(place.file, { times: 4_500, apart: 1, rare: 'n % 1500 = 0' });
  });

  it('reads a bounded number of records; all pages together contain every matching record', async () => {
    expect(await pagesOf(driver, FILTERS)).toEqual([['req_copy_1500'], ['req_copy_3000'], ['req_copy_4500']]);
  });

  it.each<[string, Partial<UsageQuery>, readonly (readonly string[])[]]>([
    ['a key', { keyId: 'key_rare' as ApiKeyId }, [['req_copy_1500'], ['req_copy_3000'], ['req_copy_4500']]],
    ['a user without records', { attribution: 'ben' }, [[], [], []]],
    ['a charge that no record has', { leastCharge: ServiceTokens.parse('9') }, [[], [], []]],
  ])('of all accounts, filtered by %s, ends after a bounded number of records, even if none matches', async (_, filters, expected) => {
    expect(await pagesOf(driver, { ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, limit: 2, cursor: null, ...filters })).toEqual(expected);
  });

  it.each<[string, Partial<UsageQuery>]>([
    ['all accounts', { accountId: ALL_ACCOUNTS }],
    ['a period of all accounts', { accountId: ALL_ACCOUNTS, from: later(STORE_NOON, -1_000), to: STORE_NOON }],
    ['a user of all accounts', { accountId: ALL_ACCOUNTS, attribution: 'ann' }],
    ['an account', {}],
    ['charges of an account', { leastCharge: ServiceTokens.parse('1') }],
    ['a user of an account', { attribution: 'ann' }],
  ])('is read in the order of an index, without sorting, for %s', async (_, differences) => {
    const query = { ...NO_USAGE_FILTERS, accountId: STORE_ALICE, limit: 2, cursor: null, ...differences };
    const first = await driver.store.usage.list(query);
    expect(first?.nextCursor).toEqual(expect.any(String));
    for (const cursor of [null, first?.nextCursor ?? null]) {
      const plans = await plansOf({ ...query, cursor });
      expect(plans.filter((plan) => plan.includes('usage_records'))).toEqual(expect.arrayContaining([expect.stringMatching(/USING (?:COVERING )?INDEX/)]));
      expect(plans.filter((plan) => plan.includes('TEMP B-TREE') || plan === 'SCAN usage_records')).toEqual([]);
    }
  });

  it('does not block the event loop, even with as many records as an export reads at once', async () => {
    let [turns, isDone] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    turn();
    const page = await driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, limit: 1_000, cursor: null });
    isDone = true;
    expect(page?.records).toHaveLength(1_000);
    expect(turns).toBeGreaterThan(MORE_TURNS_THAN_A_BLOCKED_THREAD_TAKES);
  });

  it('states how far it searched, even if it is empty', async () => {
    const page = await driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: STORE_ALICE, attribution: null, leastCharge: ServiceTokens.parse('9'), limit: 2, cursor: null });
    const newest = await driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: STORE_ALICE, limit: 1, cursor: null });
    expect(page?.records).toEqual([]);
    expect((newest?.searchedTo ?? 0) - (page?.searchedTo ?? 0)).toBe(1_999);
  });

  it('is full if enough records match, and is the last page if all were searched', async () => {
    const often = await driver.store.usage.list({ ...FILTERS, keyId: 'key_often' as ApiKeyId });
    expect(often?.records).toHaveLength(2);
    expect(often?.nextCursor).not.toBeNull();
    const last = await driver.store.usage.list({ ...FILTERS, attribution: 'nobody' });
    expect(last).toEqual({ records: [], nextCursor: null, searchedTo: null });
  });
});
