import { expect, it } from '../test-runner.js';
import {
  countSumsOf, type Instant, later, MILLISECONDS_PER_DAY, type ModelSlug, NO_USAGE_FILTERS, type PriceListId, ServiceTokens, SYSTEM_ACTOR, type UsageFilters,
  type UsageGrouping, type UsageReport,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, aPrice, aServedModel, distinctPrice, distinctUsage, outputUsage } from '../../builders/builders.js';
import { OWNER, requestId, reservationId, STORE_ALICE, STORE_BOB, STORE_NOON, type StoreDriver } from '../store-subject.js';

/** The instant this many milliseconds after the start of the request. */
function at(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

/** The reserved amount, the times of reservation and settlement, and the upstream. Checks that `find` and `list` return the same record. */
async function courseOf(driver: StoreDriver): Promise<readonly unknown[]> {
  const found = await driver.store.usage.find(STORE_ALICE, requestId(1));
  const page = await driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: STORE_ALICE, limit: 10, cursor: null });
  expect(page?.records).toEqual([found]);
  const { reserved, admittedAt, settledAt, service } = found as UsageReport;
  return [reserved?.toString(), admittedAt, settledAt, service?.upstreamId];
}

/** Shows each transfer as `kind amount`, its milliseconds after the start, and its reference. */
async function transfersOf(driver: StoreDriver): Promise<readonly (readonly unknown[])[]> {
  const transfers = await driver.store.usage.transfersOf(STORE_ALICE, requestId(1));
  return transfers.map(({ kind, amount, at: bookedAt, reference }) => [`${kind} ${amount.toString()}`, bookedAt - STORE_NOON, reference]);
}

/** The groupings that read the daily sums of the account, and those of its users. */
const GROUPINGS: readonly UsageGrouping[] = ['day', 'user'];

async function sumsOf(driver: StoreDriver): Promise<readonly unknown[]> {
  const period = { accountId: STORE_ALICE, from: STORE_NOON, to: later(STORE_NOON, MILLISECONDS_PER_DAY), limit: 10 };
  return Promise.all(GROUPINGS.map((groupBy) => driver.store.usage.summary({ ...period, groupBy })));
}

async function countsAndRatesOf(driver: StoreDriver, number: number): Promise<readonly unknown[]> {
  const record = await driver.store.usage.find(STORE_ALICE, requestId(number));
  return [record?.usage, record?.service?.price];
}

/** Tests that the record and the daily sums contain every token class. Each class has a different count and rate. */
function tokenClassesContract(start: () => Promise<StoreDriver>): void {
  const summed = (factor: number) => GROUPINGS.map(() => [expect.objectContaining(countSumsOf(distinctUsage(factor)))]);
  const service = aServedModel({ price: distinctPrice(1) });

  it('records and sums up every token count, and records every rate', async () => {
    const driver = await start();
    for (const number of [1, 2]) await driver.serve(number, anEnding(0, { usage: distinctUsage(number), service }), { attribution: 'ann' });
    expect(await countsAndRatesOf(driver, 2)).toEqual([distinctUsage(2), service.price]);
    expect(await sumsOf(driver)).toEqual(summed(1 + 2));
  });

  it('records every token count and rate of a checkpoint, and replaces them in record and sums in a late settlement', async () => {
    const driver = await start();
    const swept = { service: aServedModel({ price: distinctPrice(3) }), usage: distinctUsage(2, { source: 'checkpoint' }) };
    await driver.serve(1, anEnding(0, { usage: distinctUsage(1) }), { attribution: 'ann' });
    await driver.reserve(2, '10', { facts: { attribution: 'ann' } });
    await driver.store.ledger.checkpoint({ ownerId: OWNER, progress: new Map([[reservationId(2), swept]]), at: STORE_NOON, leaseExpiresAt: at(1) });
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(at(10));
    expect(await countsAndRatesOf(driver, 2)).toEqual([swept.usage, swept.service.price]);
    expect(await sumsOf(driver)).toEqual(summed(1 + 2));
    await driver.settle(2, anEnding(0, { usage: distinctUsage(7), service }));
    expect(await countsAndRatesOf(driver, 2)).toEqual([distinctUsage(7), service.price]);
    expect(await sumsOf(driver)).toEqual(summed(1 + 7));
  });

  it('keeps every token count and rate of a checkpoint that covers the late settlement', async () => {
    const driver = await start();
    const swept = { service: aServedModel({ price: distinctPrice(3) }), usage: distinctUsage(2, { source: 'checkpoint' }) };
    await driver.reserve(2, '10', { facts: { attribution: 'ann' } });
    await driver.store.ledger.checkpoint({ ownerId: OWNER, progress: new Map([[reservationId(2), swept]]), at: STORE_NOON, leaseExpiresAt: at(1) });
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(at(10));
    await driver.settle(2, anEnding(0, { usage: distinctUsage(1), service }));
    expect(await countsAndRatesOf(driver, 2)).toEqual([swept.usage, swept.service.price]);
    expect(await sumsOf(driver)).toEqual(summed(2));
  });
}

export function settlementRecordContract(start: () => Promise<StoreDriver>): void {
  it('records the reserved amount with its extension, the times of reservation and settlement, and the upstream', async () => {
    const driver = await start();
    await driver.reserve(1, '10', { at: at(5) });
    await driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('2.5'));
    await driver.store.ledger.settle({ reservationId: reservationId(1), ending: anEnding(7, { endedAt: at(20), service: aServedModel({ upstreamId: 'vllm' }) }), at: at(60) });
    expect(await courseOf(driver)).toEqual(['12.5', at(5), at(60), 'vllm']);
    expect(await transfersOf(driver)).toEqual([['charge 7', 20, null]]);
  });

  it('records no upstream and no ledger entry if no upstream served the request', async () => {
    const driver = await start();
    await driver.reserve(1, '10');
    await driver.settle(1, anUnservedEnding({ endedAt: at(20) }));
    expect(await courseOf(driver)).toEqual(['10', at(0), at(20), undefined]);
    expect(await transfersOf(driver)).toEqual([]);
  });

  it.each<[string, number, number, readonly (readonly unknown[])[]]>([
    ['the time of a late settlement that charged more', 1007, 90, [['late-charge 1000', 30, null], ['late-write-off 7', 30, null]]],
    ['the time of the sweep if the late settlement charged nothing more', 0, 10, []],
  ])('records %s as the settlement time', async (_, tokens, settledAt, transfers) => {
    const driver = await start();
    await driver.reserve(1, '10', { at: at(5) });
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(at(10));
    await driver.store.ledger.settle({ reservationId: reservationId(1), ending: anEnding(tokens, { endedAt: at(30) }), at: at(90) });
    expect((await courseOf(driver)).slice(0, 3)).toEqual(['10', at(5), at(settledAt)]);
    expect(await transfersOf(driver)).toEqual(transfers);
  });

  it('records the rates and price list after a crash, and again in the late settlement', async () => {
    const driver = await start();
    const priceVersion = { list: 'partners' as PriceListId, version: '2026-11-01' };
    const service = aServedModel({ price: aPrice('0.5', '0.5', '0.5', '0.25'), priceVersion });
    const pricesOf = async () => {
      const record = await driver.store.usage.find(STORE_ALICE, requestId(1));
      return [record?.charge.amount.toString(), record?.service?.price, record?.service?.priceVersion];
    };
    await driver.reserve(1, '10');
    const progress = new Map([[reservationId(1), { service, usage: outputUsage(8, { source: 'counted' }) }]]);
    await driver.store.ledger.checkpoint({ ownerId: OWNER, progress, at: STORE_NOON, leaseExpiresAt: at(1) });
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(at(10));
    expect(await pricesOf()).toEqual(['2', service.price, priceVersion]);
    await driver.store.ledger.settle({ reservationId: reservationId(1), ending: anEnding(12, { endedAt: at(30), service }), at: at(90) });
    expect(await pricesOf()).toEqual(['3', service.price, priceVersion]);
  });

  tokenClassesContract(start);

  it('lists refunds after charges, and lists no transfers for other accounts', async () => {
    const driver = await start();
    await driver.reserve(1, '10');
    await driver.settle(1, anEnding(7, { endedAt: at(20) }));
    const refund = { kind: 'refund', accountId: STORE_ALICE, requestId: requestId(1), amount: ServiceTokens.parse('2'), reason: null, actor: SYSTEM_ACTOR } as const;
    await driver.store.ledger.book({ ...refund, reference: 'case 1', at: at(100) });
    expect(await transfersOf(driver)).toEqual([['charge 7', 20, null], ['refund 2', 100, 'case 1']]);
    expect(await driver.store.usage.transfersOf(STORE_BOB, requestId(1))).toEqual([]);
    expect(await driver.store.usage.transfersOf(STORE_ALICE, requestId(2))).toEqual([]);
  });
}

/** Tests that a late settlement changes by which filters a record is found. */
export function lateSettlementFilterContract(start: () => Promise<StoreDriver>): void {
  it.each<[string, Partial<UsageFilters>, Partial<UsageFilters>]>([
    ['the model that served', { model: 'small' as ModelSlug }, { model: 'large' as ModelSlug }],
    ['its end reason', { endReason: 'completed' }, { endReason: 'crashed' }],
    ['its whole charge', { leastCharge: ServiceTokens.parse('7') }, { leastCharge: ServiceTokens.parse('7.000001') }],
  ])('finds a late-settled record by %s, and not by its earlier values', async (_, matching, other) => {
    const driver = await start();
    await driver.reserve(1, '5');
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.settle(1, anEnding(7));
    const listed = async (filters: Partial<UsageFilters>): Promise<readonly string[]> => {
      const page = await driver.store.usage.list({ ...NO_USAGE_FILTERS, accountId: STORE_ALICE, limit: 10, cursor: null, ...filters });
      return (page?.records ?? []).map((record) => record.requestId);
    };
    expect([await listed(matching), await listed(other)]).toEqual([['req_1'], []]);
  });
}
