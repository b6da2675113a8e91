import { expect, it } from '../test-runner.js';
import { shownSlice } from './shown-slice.js';
import {
  type ApiKeyId, breakdownOf, type BreakdownDimension, type Ending, type Instant, instant, later, MILLISECONDS_PER_DAY, type ModelSlug, parseTokenRate, type PeriodUnit, rankUsage,
  type RequestFacts, sumsOfRecord, type UsageBreakdown, type UsageBreakdownQuery, type UsageRecord, utcDayOf,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, aServedModel } from '../../builders/builders.js';
import { OWNER, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, type StartStore, type StoreDriver } from '../store-subject.js';

/** The tests' range starts on this Sunday, so that its first and last weeks are partial. */
const SUNDAY = instant(Date.UTC(2026, 10, 22));
const DAYS = 12;

function day(number: number): Instant {
  return later(SUNDAY, number * MILLISECONDS_PER_DAY);
}

function served(charge: number, endedAt: Instant, model = 'small'): Ending {
  return anEnding(charge, { endedAt, service: aServedModel({ servedBy: model as ModelSlug }) });
}

interface Asked {
  readonly unit?: PeriodUnit;
  readonly group?: BreakdownDimension;
  readonly top?: number;
  readonly days?: number;
  readonly model?: string;
  readonly key?: string;
}

function queryOf({ unit, group, top = 2, days = DAYS, model, key }: Asked): UsageBreakdownQuery {
  return {
    accountId: STORE_ALICE, from: SUNDAY, to: day(days), grouping: { unit: unit ?? null, group: group ?? null }, top,
    model: model === undefined ? null : model as ModelSlug, keyId: key === undefined ? null : key as ApiKeyId,
  };
}

function shownAll({ slices, series, total }: UsageBreakdown): readonly string[] {
  return [...slices.map(shownSlice), ...series.map(shownSlice), total.charged.toString()];
}

/** The breakdown with its amounts as texts. */
function plain(breakdown: UsageBreakdown): unknown {
  return JSON.parse(JSON.stringify(breakdown));
}

/** Serves requests with three models and three keys: before and after the end of a week and of a month, and outside the range. */
async function serve(driver: StoreDriver): Promise<void> {
  const key = (name: string): Partial<RequestFacts> => ({ keyId: name as ApiKeyId });
  await driver.serve(1, served(100, later(SUNDAY, -1)));
  await driver.serve(2, served(1, SUNDAY), { attribution: 'ann' });
  await driver.serve(3, served(2, later(day(1), -1), 'large'), key('key_2'));
  await driver.serve(4, served(4, day(1), 'large'), { ...key('key_2'), attribution: 'ann' });
  await driver.serve(5, served(8, day(2), 'tiny'), { ...key('key_3'), attribution: 'ben' });
  await driver.serve(6, anUnservedEnding({ endedAt: day(3) }), { keyId: null });
  await driver.serve(7, served(16, day(8)), { ...key('key_3'), usdPerServiceToken: parseTokenRate('0.02') });
  await driver.serve(8, served(32, day(9), 'tiny'), { usdPerServiceToken: parseTokenRate('0.02') });
  await driver.serve(9, served(3, later(day(9), 1), 'tiny'));
  await driver.serve(10, served(100, day(DAYS)));
  await driver.serve(11, served(100, day(1)), { accountId: STORE_BOB });
}

export function breakdownContract(start: StartStore): void {
  const startServed: StartStore = async () => {
    const driver = await start();
    await driver.credit('1000', STORE_BOB);
    await serve(driver);
    return driver;
  };
  const read = (driver: StoreDriver, asked: Asked): Promise<UsageBreakdown> => driver.store.usage.breakdown(queryOf(asked));

  it.each<[string, Asked, readonly string[]]>([
    ['day', { unit: 'day' }, ['2026-11-22 none 3', '2026-11-23 none 4', '2026-11-24 none 8', '2026-11-25 none 0', '2026-11-30 none 16', '2026-12-01 none 35', '- none 66', '66']],
    ['week, named by its Monday', { unit: 'week' }, ['2026-11-16 none 3', '2026-11-23 none 12', '2026-11-30 none 51', '- none 66', '66']],
    ['month', { unit: 'month' }, ['2026-11 none 31', '2026-12 none 35', '- none 66', '66']],
    ['model', { group: 'model' }, ['- tiny 43', '- small 17', '- other(2) 6', '- tiny 43', '- small 17', '- other(2) 6', '66']],
    ['key', { group: 'key', top: 4 }, ['- key_1 36', '- key_3 24', '- key_2 6', '- none 0', '- key_1 36', '- key_3 24', '- key_2 6', '- none 0', '66']],
    ['user', { group: 'user' }, ['- none 53', '- ben 8', '- other(1) 5', '- none 53', '- ben 8', '- other(1) 5', '66']],
    ['week and model', { unit: 'week', group: 'model' }, [
      '2026-11-16 small 1', '2026-11-16 other(1) 2', '2026-11-23 tiny 8', '2026-11-23 other(2) 4', '2026-11-30 tiny 35', '2026-11-30 small 16',
      '- tiny 43', '- small 17', '- other(2) 6', '66']],
    ['month and key', { unit: 'month', group: 'key', top: 1 }, ['2026-11 key_1 1', '2026-11 other(3) 30', '2026-12 key_1 35', '- key_1 36', '- other(3) 30', '66']],
    ['day, of one model', { unit: 'day', model: 'tiny' }, ['2026-11-24 none 8', '2026-12-01 none 35', '- none 43', '43']],
    ['model, of one key', { group: 'model', key: 'key_3' }, ['- small 16', '- tiny 8', '- small 16', '- tiny 8', '24']],
    ['model, of whole days', { group: 'model', days: 1 }, ['- large 2', '- small 1', '- large 2', '- small 1', '3']],
  ])('adds up breakdowns by %s', async (_, asked, expected) => {
    expect(shownAll(await read(await startServed(), asked))).toEqual(expected);
  });

  it.each<Asked>([
    { unit: 'day', group: 'key', top: 2 }, { unit: 'day', group: 'model', top: 20 }, { unit: 'week', group: 'key', top: 1 }, { unit: 'month', group: 'model', top: 1 },
    { group: 'user', top: 1 }, { unit: 'week', group: 'model', top: 2, key: 'key_1' },
  ])('returns breakdowns that equal the sums that the core computes from the records: %j', async (asked) => {
    const driver = await startServed();
    const records: UsageRecord[] = [];
    for (let number = 1; number <= 11; number += 1) {
      const record = await driver.store.usage.find(STORE_ALICE, requestId(number));
      if (record !== null) records.push(record);
    }
    expect(plain(await read(driver, asked))).toEqual(plain(expectedOf(records, queryOf(asked))));
  });

  it('omits a group from breakdowns after late settlements have moved all its requests to another group', async () => {
    const driver = await start();
    for (const number of [1, 2]) await driver.reserve(number, '5');
    await driver.serve(3, served(9, STORE_NOON, 'large'));
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    const swept = { ...queryOf({ unit: 'day', group: 'model', top: 1 }), from: instant(Date.UTC(2026, 10, 18)) };
    expect(shownAll(await driver.store.usage.breakdown(swept))).toEqual(['2026-11-18 large 9', '2026-11-18 other(1) 0', '- large 9', '- other(1) 0', '9']);
    await driver.settle(1, anEnding(7));
    await driver.settle(2, anEnding(1));
    expect(shownAll(await driver.store.usage.breakdown(swept))).toEqual(['2026-11-18 large 9', '2026-11-18 other(1) 8', '- large 9', '- other(1) 8', '17']);
  });

  it('returns empty breakdowns for an account without requests, and for a model name that a database cannot store', async () => {
    const driver = await startServed();
    const { slices, series, total } = await driver.store.usage.breakdown({ ...queryOf({ unit: 'day' }), accountId: STORE_BOB, to: day(1) });
    expect([slices, series, total.requests, total.charged.toString(), total.chargedUsd.toString()]).toEqual([[], [], 0, '0', '0']);
    expect((await read(driver, { unit: 'day', model: '\0' })).slices).toEqual([]);
  });
}

const GROUPS: Readonly<Record<BreakdownDimension, (record: UsageRecord) => string | null>> = {
  model: ({ service }) => service?.servedBy ?? null, key: ({ keyId }) => keyId, user: ({ attribution }) => attribution,
};

/** The period by the calendar of the runtime. Weeks start on Monday. */
function periodOf(at: Instant, unit: PeriodUnit | null): string | null {
  if (unit === null) return null;
  if (unit === 'month') return utcDayOf(at).slice(0, 7);
  return utcDayOf(unit === 'day' ? at : later(at, -((new Date(at).getUTCDay() + 6) % 7) * MILLISECONDS_PER_DAY));
}

function expectedOf(records: readonly UsageRecord[], { from, to, grouping: { unit, group }, top, model, keyId }: UsageBreakdownQuery): UsageBreakdown {
  const counted = records.filter(({ endedAt, service, keyId: own }) => endedAt >= from && endedAt < to
    && (model === null || service?.servedBy === model) && (keyId === null || own === keyId));
  const cells = counted.map((record) => ({
    period: periodOf(record.endedAt, unit), group: group === null ? null : GROUPS[group](record), sums: sumsOfRecord(record),
  }));
  return breakdownOf(rankUsage(cells, top));
}
