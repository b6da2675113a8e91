import { expect, it } from '@jest/globals';
import { tokenCount } from '@tollgate/core';
import { aPrice } from '../../builders/a-model.js';
import { aService, anEnding, anUnservedEnding, outputUsage } from '../../builders/an-ending.js';
import { receiptOf, requestId, STORE_ALICE } from '../store-subject.js';
import { ONE_MICRO_TOKEN, type Start } from './start-ledger.js';

/** The ends of requests, each of which is charged once. */
export function settleContract(start: Start): void {
  it('charges what was used, frees the rest and states the same figures everywhere', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    const settlement = await driver.settle(1, anEnding(12));
    expect(receiptOf(settlement)).toEqual(['12', '0.12', '0']);
    expect(settlement.balance).toEqual(await driver.store.ledger.balanceOf(STORE_ALICE));
    expect(await driver.balance()).toBe('88/0/88');
    const record = await driver.store.usage.find(STORE_ALICE, requestId(1));
    expect(record === null ? null : receiptOf(record)).toEqual(receiptOf(settlement));
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ entries: 2, usageRecords: 1 });
  });

  it('rounds up once, over all token classes together', async () => {
    const driver = await start();
    await driver.credit('100');
    const usage = outputUsage(1, { uncachedPromptTokens: tokenCount(2), cachedPromptTokens: tokenCount(1) });
    const service = aService({ price: aPrice('0.0000001', '0.0000001', '0', '0.0000002') });
    expect(receiptOf(await driver.serve(1, anEnding(0, { usage, service })))[0]).toBe(ONE_MICRO_TOKEN);
  });

  it('answers every repetition with the first settlement, whatever it says', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    const settlements = await Promise.all([anEnding(12), anEnding(12), anEnding(25), anUnservedEnding()].map((ending) => driver.settle(1, ending)));
    expect(settlements.map(receiptOf)).toEqual(settlements.map(() => ['12', '0.12', '0']));
    expect(receiptOf(await driver.settle(1, anEnding(30)))).toEqual(['12', '0.12', '0']);
    expect(await driver.balance()).toBe('88/0/88');
  });

  it('charges nothing more for a higher figure that comes right after the first settlement', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    await driver.settle(1, anEnding(12));
    expect(receiptOf(await driver.settle(1, anEnding(25)))).toEqual(['12', '0.12', '0']);
    expect(await driver.balance()).toBe('88/0/88');
  });

  it('charges beyond the reservation as far as the balance goes, and writes off the rest', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    await driver.reserve(2, '50');
    expect(receiptOf(await driver.settle(1, anEnding(90)))).toEqual(['50', '0.5', '40']);
    expect(await driver.balance()).toBe('50/50/0');
  });

  it('leaves a record and no entry when nobody served the request', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    expect(receiptOf(await driver.settle(1, anUnservedEnding()))).toEqual(['0', '0', '0']);
    expect(await driver.balance()).toBe('100/0/100');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ reason: 'provider_unavailable', service: null });
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ entries: 1, usageRecords: 1 });
  });

  it('throws for a reservation that was never made', async () => {
    const driver = await start();
    await expect(driver.settle(1, anEnding(1))).rejects.toThrow('invariant broken');
  });

  it.each(['a\u0000b', 'lone \uD800 surrogate', '\u{1F600}', "'; drop table accounts; --"])('settles whatever the client named its user: %j', async (attribution) => {
    const driver = await start();
    await driver.credit('100');
    expect(receiptOf(await driver.serve(1, anEnding(3), { attribution }))[0]).toBe('3');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).not.toBeNull();
  });
}
