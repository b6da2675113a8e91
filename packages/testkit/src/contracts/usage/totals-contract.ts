import { afterEach, describe, expect, it } from '../test-runner.js';
import { shownSlice } from './shown-slice.js';
import {
  type AccountId, ALL_ACCOUNTS, type ApiKeyId, type DatedBreakdown, type Ending, type Instant, instant, later, MILLISECONDS_PER_DAY,
  MILLISECONDS_PER_HOUR, type ModelSlug, NO_USAGE_FILTERS, type PeriodUnit, ServiceTokens, type TotalsDimension, type UsagePage,
  type UsageQuery,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, aServedModel } from '../../builders/builders.js';
import { type MakeStore, OWNER, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, type StartStore, StoreDriver } from '../store-subject.js';

const TODAY = instant(Date.UTC(2026, 10, 18));

function day(number: number): Instant {
  return later(TODAY, number * MILLISECONDS_PER_DAY);
}

function served(charge: number, days: number, model = 'small'): Ending {
  return anEnding(charge, { endedAt: later(STORE_NOON, days * MILLISECONDS_PER_DAY), service: aServedModel({ servedBy: model as ModelSlug }) });
}

interface Asked {
  readonly unit?: PeriodUnit;
  readonly group?: TotalsDimension;
  readonly top?: number;
  readonly days?: number;
  readonly model?: string;
}

export function usageTotalsContract(name: string, make: MakeStore): void {
  describe(`UsageTotals contract: ${name}`, () => {
    let driver: StoreDriver;

    afterEach(() => driver.close());

    async function start(): Promise<void> {
      driver = await StoreDriver.start(make);
      for (const accountId of [STORE_ALICE, STORE_BOB]) await driver.credit('1000', accountId);
    }

    /** Serves requests of two accounts and two models on three days. */
    async function startServed(): Promise<void> {
      await start();
      await driver.serve(1, served(1, -30));
      await driver.serve(2, served(2, -1, 'large'));
      await driver.serve(3, served(4, -1), { accountId: STORE_BOB });
      await driver.serve(4, served(8, 0), { accountId: STORE_BOB });
      await driver.serve(5, served(16, 0, 'tiny'));
    }

    function read({ unit, group, top = 1, days = 1, model }: Asked): Promise<DatedBreakdown | null> {
      return driver.store.usageTotals.breakdown({
        from: day(-40), to: day(days), grouping: { unit: unit ?? null, group: group ?? null }, top, model: model === undefined ? null : model as ModelSlug,
      });
    }

    async function slices(asked: Asked): Promise<readonly string[]> {
      return (await read(asked))?.slices.map(shownSlice) ?? [];
    }

    it('is empty before the first roll-up', async () => {
      await startServed();
      const { usageTotals } = driver.store;
      expect([await usageTotals.summedAt(), await usageTotals.hasNewSettlements(), await read({})]).toEqual([null, true, null]);
    });

    it('has sums of zero if no account has a request', async () => {
      await start();
      expect(await driver.store.usageTotals.sumUp(STORE_NOON)).toBe(true);
      expect(await driver.store.usageTotals.summedAt()).toBe(STORE_NOON);
      expect(await read({ unit: 'day', group: 'model' })).toMatchObject({ asOf: STORE_NOON, slices: [], series: [], total: { requests: 0 } });
    });

    it.each<[string, Asked, readonly string[]]>([
      ['day', { unit: 'day' }, ['2026-10-19 none 1', '2026-11-17 none 6', '2026-11-18 none 24']],
      ['month and account', { unit: 'month', group: 'account' }, ['2026-10 acct_alice 1', '2026-11 acct_alice 18', '2026-11 other(1) 12']],
      ['week and model', { unit: 'week', group: 'model', top: 2 }, ['2026-10-19 small 1', '2026-11-16 tiny 16', '2026-11-16 small 12', '2026-11-16 other(1) 2']],
      ['account', { group: 'account', top: 20 }, ['- acct_alice 19', '- acct_bob 12']],
      ['model, of days that are over', { group: 'model', days: 0, top: 20 }, ['- small 5', '- large 2']],
      ['day, of one model', { unit: 'day', model: 'small' }, ['2026-10-19 none 1', '2026-11-17 none 4', '2026-11-18 none 8']],
      ['day, of a model that no database can name', { unit: 'day', model: '\0' }, []],
    ])('adds up by %s', async (_, asked, expected) => {
      await startServed();
      await driver.store.usageTotals.sumUp(STORE_NOON);
      expect(await slices(asked)).toEqual(expected);
      expect((await read({}))?.total).toMatchObject({ requests: 5, outputTokens: 31 });
    });

    it('counts a late settlement on the day on which its request ended, however long ago', async () => {
      await startServed();
      const { usageTotals } = driver.store;
      await usageTotals.sumUp(STORE_NOON);
      await driver.serve(6, served(32, -30, 'large'), { accountId: STORE_BOB });
      await driver.serve(7, served(64, 0));
      await driver.serve(8, served(128, -5));
      expect(await slices({ unit: 'day' })).toEqual(['2026-10-19 none 1', '2026-11-17 none 6', '2026-11-18 none 24']);
      expect([await usageTotals.hasNewSettlements(), await usageTotals.sumUp(later(STORE_NOON, 60_000)), await usageTotals.summedAt()]).toEqual([true, true, later(STORE_NOON, 60_000)]);
      expect(await slices({ unit: 'day' })).toEqual(['2026-10-19 none 33', '2026-11-13 none 128', '2026-11-17 none 6', '2026-11-18 none 88']);
      expect(await slices({ group: 'account', top: 2 })).toEqual(['- acct_alice 211', '- acct_bob 44']);
      expect(await slices({ group: 'model', top: 3 })).toEqual(['- small 205', '- large 34', '- tiny 16']);
    });

    it('counts a swept request without a model until a late settlement on a later day names the model', async () => {
      await start();
      const { usageTotals } = driver.store;
      await driver.reserve(1, '5');
      await driver.store.ledger.retire(OWNER);
      await driver.store.ledger.sweep(STORE_NOON);
      for (let hours = 1; hours <= 3; hours += 1) await usageTotals.sumUp(later(STORE_NOON, hours * MILLISECONDS_PER_HOUR));
      expect(await slices({ unit: 'day', group: 'model' })).toEqual(['2026-11-18 none 0']);
      await driver.settle(1, anEnding(7));
      expect(await usageTotals.hasNewSettlements()).toBe(false);
      await usageTotals.sumUp(day(3));
      expect(await slices({ unit: 'day', group: 'model' })).toEqual(['2026-11-18 small 7']);
    });

    it('reports new settlements only until a roll-up has counted them', async () => {
      await startServed();
      const { usageTotals } = driver.store;
      for (let hours = 0; hours < 3; hours += 1) await usageTotals.sumUp(later(STORE_NOON, hours * MILLISECONDS_PER_HOUR));
      expect(await usageTotals.hasNewSettlements()).toBe(false);
      await driver.serve(6, served(1, 0));
      expect(await usageTotals.hasNewSettlements()).toBe(true);
    });
  });
}

const NEWEST_FIRST = ['req_4', 'req_6', 'req_5', 'req_3', 'req_2', 'req_1'];
/** Maximum number of pages that a test reads. It is larger than the number of records. */
const MAX_PAGES = 10;

async function serve(driver: StoreDriver): Promise<void> {
  await driver.credit('1000', STORE_BOB);
  const at = (seconds: number) => ({ endedAt: later(STORE_NOON, seconds * 1000) });
  const bob = { accountId: STORE_BOB, keyId: 'key_bob' as ApiKeyId };
  await driver.serve(1, anEnding(10, at(1)), { attribution: 'ann' });
  await driver.serve(2, anEnding(20, at(1)), { ...bob, attribution: 'ann' });
  await driver.serve(3, anEnding(30, at(2)));
  await driver.serve(4, anEnding(40, { ...at(4), service: aServedModel({ servedBy: 'large' as ModelSlug }) }), bob);
  await driver.serve(5, anEnding(50, at(3)));
  await driver.serve(6, anUnservedEnding(at(3)), bob);
}

export function allAccountsContract(start: StartStore): void {
  const startServed: StartStore = async () => {
    const driver = await start();
    await serve(driver);
    return driver;
  };
  const pageOf = (driver: StoreDriver, differences: Partial<UsageQuery>): Promise<UsagePage | null> => (
    driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, limit: 100, cursor: null, ...differences }));
  const idsOf = (page: UsagePage | null): readonly string[] | null => page?.records.map((record) => record.requestId) ?? null;

  it.each<[string, Partial<UsageQuery>, readonly string[]]>([
    ['everything', {}, NEWEST_FIRST],
    ['a period', { from: later(STORE_NOON, 2000), to: later(STORE_NOON, 4000) }, ['req_6', 'req_5', 'req_3']],
    ['a user', { attribution: 'ann' }, ['req_2', 'req_1']],
    ['a key', { keyId: 'key_bob' as ApiKeyId }, ['req_4', 'req_6', 'req_2']],
    ['a model', { model: 'large' as ModelSlug }, ['req_4']],
    ['an end reason', { endReason: 'provider_unavailable' }, ['req_6']],
    ['charges from an amount on', { leastCharge: ServiceTokens.parse('40') }, ['req_4', 'req_5']],
    ['nothing where nothing matches', { attribution: 'ben' }, []],
  ])('lists records of all accounts newest first: %s', async (_, differences, expected) => {
    expect(idsOf(await pageOf(await startServed(), differences))).toEqual(expected);
  });

  it.each([1, 2, 4])('pages through the records of all accounts without gaps or repetitions, %i at a time', async (limit) => {
    const driver = await startServed();
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page: UsagePage | null = await pageOf(driver, { limit, cursor });
      seen.push(...idsOf(page) ?? []);
      cursor = page?.nextCursor ?? null;
      if (cursor === null) break;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  it('names the account of each record, and finds a record without the id of its account', async () => {
    const driver = await startServed();
    const owners: readonly [number, AccountId][] = [[4, STORE_BOB], [5, STORE_ALICE]];
    for (const [number, accountId] of owners) {
      const record = await driver.store.usage.find(ALL_ACCOUNTS, requestId(number));
      expect(record).toEqual(await driver.store.usage.find(accountId, requestId(number)));
      expect(record?.accountId).toBe(accountId);
    }
    expect(await driver.store.usage.find(ALL_ACCOUNTS, requestId(7))).toBeNull();
  });

  it('refuses a cursor of one account for all accounts, and the other way round', async () => {
    const driver = await startServed();
    const cursorOf = async (accountId: UsageQuery['accountId']): Promise<string | null> => (await pageOf(driver, { accountId, limit: 1 }))?.nextCursor ?? null;
    const [ofAll, ofAlice] = [await cursorOf(ALL_ACCOUNTS), await cursorOf(STORE_ALICE)];
    expect([ofAll, ofAlice]).not.toContain(null);
    expect(await pageOf(driver, { accountId: STORE_ALICE, cursor: ofAll })).toBeNull();
    expect(await pageOf(driver, { cursor: ofAlice })).toBeNull();
  });
}
