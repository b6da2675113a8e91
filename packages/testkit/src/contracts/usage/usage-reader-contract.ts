import { afterEach, describe, expect, it } from '../test-runner.js';
import {
  ALL_ACCOUNTS, type ApiKeyId, countSumsOf, type Ending, instant, type Instant, later, MILLISECONDS_PER_DAY, type ModelSlug, NO_USAGE_FILTERS,
  parseTokenRate, type PriceListId, type RequestFacts, ServiceTokens, type SummaryGrouping, tokenCount, totalTokensOf, type UsageQuery, type UsageScope,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, aPrice, aServedModel, distinctPrice, distinctUsage, outputUsage, requestFacts } from '../../builders/builders.js';
import { breakdownContract } from './breakdown-contract.js';
import { allAccountsContract } from './totals-contract.js';
import { lateSettlementFilterContract, settlementRecordContract } from './settlement-record-contract.js';
import { type MakeStore, OWNER, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, type StartStore, StoreDriver } from '../store-subject.js';

const LARGE = 'large' as ModelSlug;
const KEY_2 = 'key_2' as ApiKeyId;
const TODAY = instant(Date.UTC(2026, 10, 18));

interface Served {
  readonly facts?: Partial<RequestFacts>;
  readonly ending: Ending;
}

function at(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

/** The requests that each test serves. Their numbers begin at 1 and follow the order of settlement. */
const REQUESTS: readonly Served[] = [
  { ending: anEnding(10, { endedAt: at(1000) }), facts: { attribution: 'ann' } },
  { ending: anEnding(20, { endedAt: at(3000), service: aServedModel({ servedBy: LARGE, fallbackUsed: true }) }), facts: { attribution: 'ben' } },
  { ending: anEnding(30, { endedAt: at(2000) }), facts: { keyId: KEY_2 } },
  { ending: anEnding(40, { endedAt: at(3000) }), facts: { keyId: KEY_2, attribution: 'ann' } },
  { ending: anUnservedEnding({ endedAt: at(4000) }), facts: { keyId: null } },
  { ending: anEnding(50, { endedAt: later(TODAY, MILLISECONDS_PER_DAY) }) },
];
const NEWEST_FIRST = ['req_6', 'req_5', 'req_4', 'req_2', 'req_3', 'req_1'];

function queryOf(differences: Partial<UsageQuery> = {}): UsageQuery {
  return { ...NO_USAGE_FILTERS, accountId: STORE_ALICE, limit: 100, cursor: null, ...differences };
}

export function usageReaderContract(name: string, make: MakeStore): void {
  describe(`UsageReader contract: ${name}`, () => {
    let driver: StoreDriver | null = null;
    const start: StartStore = async () => {
      driver = await StoreDriver.start(make);
      await driver.credit('1000');
      return driver;
    };
    const startServed: StartStore = async () => {
      const started = await start();
      for (const [index, { facts = {}, ending }] of REQUESTS.entries()) await started.serve(index + 1, ending, facts);
      return started;
    };
    afterEach(async () => {
      await driver?.close();
      driver = null;
    });

    recordContract(start);
    settlementRecordContract(start);
    listContract(startServed);
    summaryContract(startServed, start);
    breakdownContract(start);
    slicesContract(startServed);
    tokensUsedContract(start);
    lateSettlementFilterContract(start);
    allAccountsContract(start);
  });
}

function recordContract(start: StartStore): void {
  it('returns every field as it was settled', async () => {
    const driver = await start();
    const facts = requestFacts({
      requestId: requestId(1), accountId: STORE_ALICE, keyId: null, format: 'messages', streamed: false, requestedModel: 'alias of large', attribution: 'Zoë 東京',
      usdPerServiceToken: parseTokenRate('0.000000000001'),
    });
    const ending: Ending = {
      reason: 'provider_failed',
      service: {
        servedBy: LARGE, upstreamId: 'scripted', fallbackUsed: true, omitted: ['reasoning', 'temperature'], price: distinctPrice(1),
        priceVersion: { list: 'partners' as PriceListId, version: '2026-11-01' },
      },
      usage: distinctUsage(1, { source: 'counted', reasoningWithheld: true }),
      firstOutputAt: at(10),
      endedAt: at(20),
    };
    const { charge, writeOff } = await driver.serve(1, ending, facts);
    const record = await driver.store.usage.find(STORE_ALICE, requestId(1));
    expect(record).toEqual({ ...facts, ...ending, charge, writeOff, purchase: null, reserved: ServiceTokens.ZERO, admittedAt: facts.startedAt, settledAt: ending.endedAt });
  });

  it('does not return the record of another account', async () => {
    const driver = await start();
    await driver.serve(1, anEnding(1));
    expect(await driver.store.usage.find(STORE_BOB, requestId(1))).toBeNull();
    expect(await driver.store.usage.find(STORE_ALICE, requestId(2))).toBeNull();
    expect((await driver.store.usage.list(queryOf({ accountId: STORE_BOB })))?.records).toEqual([]);
  });

  it('returns no record of a running request', async () => {
    const driver = await start();
    await driver.reserve(1, '1');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toBeNull();
  });
}

function listContract(start: StartStore): void {
  async function listed(driver: StoreDriver, differences: Partial<UsageQuery>): Promise<readonly string[] | null> {
    const page = await driver.store.usage.list(queryOf(differences));
    return page === null ? null : page.records.map((record) => record.requestId);
  }

  it.each<[string, Partial<UsageQuery>, readonly string[]]>([
    ['everything, by when it ended and then by when it was written', {}, NEWEST_FIRST],
    ['from an instant on, that instant included', { from: at(3000) }, ['req_6', 'req_5', 'req_4', 'req_2']],
    ['until an instant, that instant not included', { to: at(3000) }, ['req_3', 'req_1']],
    ['requests that one model served', { model: LARGE }, ['req_2']],
    ['a key', { keyId: KEY_2 }, ['req_4', 'req_3']],
    ['a user', { attribution: 'ann' }, ['req_4', 'req_1']],
    ['an end reason', { endReason: 'provider_unavailable' }, ['req_5']],
    ['charges from an amount on, that amount included', { leastCharge: ServiceTokens.parse('40') }, ['req_6', 'req_4']],
    ['all filters together', { attribution: 'ann', keyId: KEY_2, model: 'small' as ModelSlug, from: at(0), to: at(5000), endReason: 'completed', leastCharge: ServiceTokens.parse('0.000001') }, ['req_4']],
    ['nothing when nothing matches', { attribution: 'nobody' }, []],
    ['no more records than requested', { limit: 2 }, ['req_6', 'req_5']],
  ])('lists newest first: %s', async (_, differences, expected) => {
    expect(await listed(await start(), differences)).toEqual(expected);
  });

  it.each([1, 2, 3, 5, 6])('pages by cursor without gaps or repetitions, %i at a time', async (limit) => {
    const driver = await start();
    const seen: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages <= NEWEST_FIRST.length; pages += 1) {
      const page = await driver.store.usage.list(queryOf({ limit, cursor }));
      seen.push(...(page?.records ?? []).map((record) => record.requestId));
      cursor = page?.nextCursor ?? null;
      if (cursor === null) break;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  it('keeps its position if newer records are written between two pages', async () => {
    const driver = await start();
    const first = await driver.store.usage.list(queryOf({ limit: 2 }));
    await driver.serve(7, anEnding(1, { endedAt: later(TODAY, 2 * MILLISECONDS_PER_DAY) }));
    expect(await listed(driver, { limit: 2, cursor: first?.nextCursor ?? null })).toEqual(['req_4', 'req_2']);
  });

  it('returns the end time of the last record that it read, and null on the last page', async () => {
    const driver = await start();
    const page = await driver.store.usage.list(queryOf({ limit: 2 }));
    expect(page?.searchedTo).toBe(page?.records.at(-1)?.endedAt);
    expect((await driver.store.usage.list(queryOf({ limit: NEWEST_FIRST.length })))?.searchedTo).toBeNull();
  });

  it('refuses the cursor of another account and malformed cursors', async () => {
    const driver = await start();
    const first = await driver.store.usage.list(queryOf({ limit: 2 }));
    expect(await listed(driver, { accountId: STORE_BOB, cursor: first?.nextCursor ?? null })).toBeNull();
    for (const cursor of ['', 'nonsense', '0', 'bnVsbA', `${first?.nextCursor ?? ''}x`.slice(3)]) {
      expect(await listed(driver, { cursor })).toBeNull();
    }
  });
}

function summaryContract(startServed: StartStore, start: StartStore): void {
  async function summed(driver: StoreDriver, groupBy: SummaryGrouping, { days = 2, limit = 100 } = {}): Promise<readonly (readonly [string | null, number, number, string, string])[]> {
    const to = later(TODAY, days * MILLISECONDS_PER_DAY);
    const buckets = await driver.store.usage.summary({ accountId: STORE_ALICE, from: STORE_NOON, to, groupBy, limit });
    return buckets.map(({ group, requests, outputTokens, charged, chargedUsd }) => [group, requests, outputTokens, charged.toString(), chargedUsd]);
  }

  it('sums up by day, in the order of days', async () => {
    expect(await summed(await startServed(), 'day')).toEqual([['2026-11-18', 5, 100, '100', '1'], ['2026-11-19', 1, 50, '50', '0.5']]);
  });

  it('sums up by day and serving model, in the order of days and without gaps', async () => {
    expect(await summed(await startServed(), 'day-model', { limit: 1 })).toEqual([
      ['2026-11-18 ', 1, 0, '0', '0'], ['2026-11-18 large', 1, 20, '20', '0.2'], ['2026-11-18 small', 3, 80, '80', '0.8'], ['2026-11-19 small', 1, 50, '50', '0.5'],
    ]);
  });

  it('sums up by serving model, the largest charge first', async () => {
    expect(await summed(await startServed(), 'model')).toEqual([['small', 4, 130, '130', '1.3'], ['large', 1, 20, '20', '0.2'], [null, 1, 0, '0', '0']]);
  });

  it('sums up by key, the largest charge first', async () => {
    expect(await summed(await startServed(), 'key')).toEqual([['key_1', 3, 80, '80', '0.8'], ['key_2', 2, 70, '70', '0.7'], [null, 1, 0, '0', '0']]);
  });

  it('sums up by user, the largest charge first', async () => {
    expect(await summed(await startServed(), 'user')).toEqual([[null, 3, 80, '80', '0.8'], ['ann', 2, 50, '50', '0.5'], ['ben', 1, 20, '20', '0.2']]);
  });

  it('omits the groups with the smallest charges if there are too many groups, but omits no day', async () => {
    expect(await summed(await startServed(), 'user', { limit: 2 })).toEqual([[null, 3, 80, '80', '0.8'], ['ann', 2, 50, '50', '0.5']]);
    expect(await summed(await startServed(), 'model', { limit: 1 })).toEqual([['small', 4, 130, '130', '1.3']]);
    expect(await summed(await startServed(), 'day', { limit: 1 })).toHaveLength(2);
  });

  it('sums up whole days, without the day in which the period ends', async () => {
    expect(await summed(await startServed(), 'day', { days: 1 })).toEqual([['2026-11-18', 5, 100, '100', '1']]);
  });

  it('sums up each token class separately, and dollars at the rate of each request', async () => {
    const driver = await start();
    const usage = distinctUsage(1);
    const total = totalTokensOf(usage);
    await driver.serve(1, anEnding(0, { usage }), { usdPerServiceToken: parseTokenRate('0.000000000001') });
    await driver.serve(2, anEnding(0, { usage }), { usdPerServiceToken: parseTokenRate('3') });
    const [bucket] = await driver.store.usage.summary({ accountId: STORE_ALICE, from: STORE_NOON, to: later(STORE_NOON, MILLISECONDS_PER_DAY), groupBy: 'model', limit: 100 });
    expect(bucket).toMatchObject({ requests: 2, ...countSumsOf(distinctUsage(2)), chargedUsd: `${3 * total}.${String(total).padStart(12, '0')}` });
    expect(bucket?.charged.toString()).toBe(String(2 * total));
  });

  it('omits the bucket without a model after a late settlement has named the model', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '5');
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    expect(await summed(driver, 'model')).toEqual([[null, 1, 0, '0', '0']]);
    await driver.settle(1, anEnding(7));
    expect(await summed(driver, 'model')).toEqual([['small', 1, 7, '7', '0.07']]);
  });

  it('returns no buckets for an account without requests', async () => {
    const driver = await startServed();
    expect(await driver.store.usage.summary({ accountId: STORE_BOB, from: STORE_NOON, to: later(STORE_NOON, MILLISECONDS_PER_DAY), groupBy: 'day', limit: 100 })).toEqual([]);
  });
}

function slicesContract(start: StartStore): void {
  it('reads the newest requests of each time slice, for one account or all accounts', async () => {
    const driver = await start();
    await driver.credit('100', STORE_BOB);
    await driver.serve(7, anEnding(1, { endedAt: at(2500), firstOutputAt: at(2400) }), { accountId: STORE_BOB, startedAt: at(2000), keyId: null });
    const slices = [[1000, 2000], [2000, 3001], [5000, 6000]].map(([from = 0, to = 0]) => ({ from: at(from), to: at(to) }));
    const read = async (accountId: UsageScope, perSlice: number) => (await driver.store.usage.newestOfSlices({ accountId, slices, perSlice }))
      .map(({ slice, model, keyId }) => `${slice} ${model ?? 'none'} ${keyId ?? 'none'}`).toSorted();
    expect(await read(STORE_ALICE, 3)).toEqual(['0 small key_1', '1 large key_1', '1 small key_2', '1 small key_2']);
    expect(await read(STORE_ALICE, 1)).toEqual(['0 small key_1', '1 small key_2']);
    expect(await read(ALL_ACCOUNTS, 3)).toEqual(['0 small key_1', '1 large key_1', '1 small key_2', '1 small none']);
    expect(await driver.store.usage.newestOfSlices({ accountId: STORE_BOB, slices: slices.slice(1), perSlice: 1 })).toEqual([{ slice: 0, model: 'small', keyId: null, startedAt: at(2000), firstOutputAt: at(2400) }]);
    expect(await driver.store.usage.newestOfSlices({ accountId: STORE_BOB, slices: [], perSlice: 1 })).toEqual([]);
  });
}

function tokensUsedContract(start: StartStore): void {
  it('returns the tokens of all classes in the UTC day and in the UTC month', async () => {
    const driver = await start();
    const ended = [
      Date.UTC(2026, 9, 31, 23, 59, 59, 999), Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 18), Date.UTC(2026, 10, 18, 23, 59, 59, 999),
      Date.UTC(2026, 10, 19), Date.UTC(2026, 11, 1),
    ].map(instant);
    for (const [index, endedAt] of ended.entries()) {
      const usage = outputUsage(10 ** index, { uncachedPromptTokens: tokenCount(10 ** index) });
      await driver.serve(index, anEnding(0, { endedAt, usage, service: aServedModel({ price: aPrice('0', '0', '0', '0') }) }));
    }
    expect(await driver.store.usage.tokensUsed(STORE_ALICE, STORE_NOON)).toEqual({ day: 2200, month: 22_220 });
    expect(await driver.store.usage.tokensUsed(STORE_BOB, STORE_NOON)).toEqual({ day: 0, month: 0 });
  });
}
