import { expect, it } from '../test-runner.js';
import { later, ServiceTokens, tokenCount } from '@tollgate/core';
import { anEnding, anUnservedEnding, aPrice, aServedModel, outputUsage, requestFacts } from '../../builders/builders.js';
import {
  ONE_MICRO_TOKEN, OTHER_OWNER, progressOf, receiptOf, requestId, reservationId, type StartStore, STORE_ALICE, STORE_BOB, STORE_NOON,
  type StoreDriver,
} from '../store-subject.js';

export function settleContract(start: StartStore): void {
  it('charges the usage, releases the rest of the reservation, and records the same charge in the usage record', async () => {
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
    const service = aServedModel({ price: aPrice('0.0000001', '0.0000001', '0', '0.0000002') });
    expect(receiptOf(await driver.serve(1, anEnding(0, { usage, service })))[0]).toBe(ONE_MICRO_TOKEN);
  });

  it('answers every repetition with the first settlement', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    const settlements = await Promise.all([anEnding(12), anEnding(12), anEnding(25), anUnservedEnding()].map((ending) => driver.settle(1, ending)));
    expect(settlements.map(receiptOf)).toEqual(settlements.map(() => ['12', '0.12', '0']));
    expect(receiptOf(await driver.settle(1, anEnding(30)))).toEqual(['12', '0.12', '0']);
    expect(await driver.balance()).toBe('88/0/88');
  });

  it('charges the account that reserved, although the settlement names another account', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    const hold = { facts: requestFacts({ requestId: requestId(1), accountId: STORE_BOB }), budget: null, amount: ServiceTokens.parse('30') };
    expect(receiptOf(await driver.settle(1, anEnding(12), hold))).toEqual(['12', '0.12', '0']);
    expect(await driver.balance()).toBe('88/0/88');
  });

  it('charges nothing more if a second settlement states a higher usage', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    await driver.settle(1, anEnding(12));
    expect(receiptOf(await driver.settle(1, anEnding(25)))).toEqual(['12', '0.12', '0']);
    expect(await driver.balance()).toBe('88/0/88');
  });

  it('charges beyond the reservation as far as the balance allows, and writes off the rest', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    await driver.reserve(2, '50');
    expect(receiptOf(await driver.settle(1, anEnding(90)))).toEqual(['50', '0.5', '40']);
    expect(await driver.balance()).toBe('50/50/0');
  });

  it('writes a usage record and no ledger entry if no upstream served the request', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '30');
    expect(receiptOf(await driver.settle(1, anUnservedEnding()))).toEqual(['0', '0', '0']);
    expect(await driver.balance()).toBe('100/0/100');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ reason: 'provider_unavailable', service: null });
    expect(await driver.store.ledgerAudit.verify()).toMatchObject({ entries: 1, usageRecords: 1 });
  });

  it('throws for the settlement of an unknown reservation', async () => {
    const driver = await start();
    await expect(driver.settle(1, anEnding(1))).rejects.toThrow('invariant broken');
  });

  it.each(['a\u0000b', 'lone \uD800 surrogate', '\u{1F600}', "'; drop table accounts; --"])('settles requests with any user name that a client sends: %j', async (attribution) => {
    const driver = await start();
    await driver.credit('100');
    expect(receiptOf(await driver.serve(1, anEnding(3), { attribution }))[0]).toBe('3');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).not.toBeNull();
  });
}

/** Tests settlements of requests that a sweep has already ended. */
export function lateSettlementContract(start: StartStore): void {
  /** Reserves 50, and sweeps the reservation at a checkpoint of 20. */
  async function startSwept(): Promise<StoreDriver> {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '50', { owner: OTHER_OWNER });
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: STORE_NOON, progress: new Map([[reservationId(1), progressOf(20)]]),
    });
    await driver.store.ledger.sweep(STORE_NOON);
    return driver;
  }

  it('charges once, in a settlement after the sweep, what the checkpoint did not include', async () => {
    const driver = await startSwept();
    expect(await driver.balance()).toBe('80/0/80');
    const late = await driver.settle(1, anEnding(45));
    expect(receiptOf(late)).toEqual(['45', '0.45', '0']);
    expect(receiptOf(await driver.settle(1, anEnding(45)))).toEqual(receiptOf(late));
    expect(receiptOf(await driver.settle(1, anEnding(99)))).toEqual(receiptOf(late));
    expect(await driver.balance()).toBe('55/0/55');
  });

  it('charges a swept request once, however often its process settles it as if the reservation were still held', async () => {
    const driver = await startSwept();
    const hold = { facts: requestFacts({ requestId: requestId(1), accountId: STORE_ALICE }), budget: null, amount: ServiceTokens.parse('50') };
    for (const tokens of [45, 99]) expect(receiptOf(await driver.settle(1, anEnding(tokens), hold))).toEqual(['45', '0.45', '0']);
    expect(await driver.balance()).toBe('55/0/55');
  });

  it('updates the usage record of a swept request with the real ending and the sum of both charges', async () => {
    const driver = await startSwept();
    await driver.settle(1, anEnding(45));
    const record = await driver.store.usage.find(STORE_ALICE, requestId(1));
    expect(record).toMatchObject({ reason: 'completed', endedAt: STORE_NOON, usage: { visibleOutputTokens: 45, source: 'reported' } });
    expect(record === null ? null : receiptOf(record)).toEqual(['45', '0.45', '0']);
    expect(await driver.store.usage.tokensUsed(STORE_ALICE, STORE_NOON)).toEqual({ day: 45, month: 45 });
    const summary = await driver.store.usage.summary({ accountId: STORE_ALICE, from: STORE_NOON, to: later(STORE_NOON, 86_400_000), groupBy: 'model', limit: 10 });
    expect(summary.filter(({ requests }) => requests > 0)).toMatchObject([{ group: 'small', requests: 1, outputTokens: 45 }]);
  });

  it('charges a late settlement at most the available balance', async () => {
    const driver = await startSwept();
    await driver.reserve(2, '75');
    expect(receiptOf(await driver.settle(1, anEnding(40)))).toEqual(['25', '0.25', '15']);
    expect(await driver.balance()).toBe('75/75/0');
  });

  it('never charges later what it wrote off at the checkpoint, even after a credit', async () => {
    const driver = await start();
    await driver.credit('50');
    await driver.reserve(1, '50', { owner: OTHER_OWNER });
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: STORE_NOON, progress: new Map([[reservationId(1), progressOf(70)]]),
    });
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.credit('100');
    expect(receiptOf(await driver.settle(1, anEnding(85)))).toEqual(['65', '0.65', '20']);
    expect(await driver.balance()).toBe('85/0/85');
  });

  it('does not change record and balance if the checkpoint covered the whole usage', async () => {
    const driver = await startSwept();
    expect(receiptOf(await driver.settle(1, anEnding(19)))).toEqual(['20', '0.2', '0']);
    expect(receiptOf(await driver.settle(1, anEnding(99)))).toEqual(['20', '0.2', '0']);
    expect(await driver.balance()).toBe('80/0/80');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ reason: 'crashed', usage: { visibleOutputTokens: 20 } });
  });
}
