import { expect, it } from '@jest/globals';
import { later } from '@tollgate/core';
import { anEnding } from '../../builders/an-ending.js';
import { receiptOf, requestId, reservationId, STORE_ALICE, STORE_NOON, type StoreDriver } from '../store-subject.js';
import { OTHER_OWNER, progressOf, type Start } from './start-ledger.js';

/** Owners that were taken for dead and come back. */
export function lateSettlementContract(start: Start): void {
  /** A request of 50 reserved, swept at a checkpoint of 20. */
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

  it('charges an owner that comes back once, for what the checkpoint did not cover', async () => {
    const driver = await startSwept();
    expect(await driver.balance()).toBe('80/0/80');
    const late = await driver.settle(1, anEnding(45));
    expect(receiptOf(late)).toEqual(['45', '0.45', '0']);
    expect(receiptOf(await driver.settle(1, anEnding(45)))).toEqual(receiptOf(late));
    expect(receiptOf(await driver.settle(1, anEnding(99)))).toEqual(receiptOf(late));
    expect(await driver.balance()).toBe('55/0/55');
  });

  it('shows the record with the real ending and both charges as one, where it was', async () => {
    const driver = await startSwept();
    await driver.settle(1, anEnding(45));
    const record = await driver.store.usage.find(STORE_ALICE, requestId(1));
    expect(record).toMatchObject({ reason: 'completed', endedAt: STORE_NOON, usage: { visibleOutputTokens: 45, source: 'reported' } });
    expect(record === null ? null : receiptOf(record)).toEqual(['45', '0.45', '0']);
    expect(await driver.store.usage.tokensUsed(STORE_ALICE, STORE_NOON)).toEqual({ day: 45, month: 45 });
    const summary = await driver.store.usage.summary({ accountId: STORE_ALICE, from: STORE_NOON, to: later(STORE_NOON, 86_400_000), groupBy: 'model', limit: 10 });
    expect(summary.filter(({ requests }) => requests > 0)).toMatchObject([{ group: 'small', requests: 1, outputTokens: 45 }]);
  });

  it('never charges late beyond what is available', async () => {
    const driver = await startSwept();
    await driver.reserve(2, '75');
    expect(receiptOf(await driver.settle(1, anEnding(40)))).toEqual(['25', '0.25', '15']);
    expect(await driver.balance()).toBe('75/75/0');
  });

  it('never charges late what the checkpoint wrote off, though there is money for it by then', async () => {
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

  it('gives nothing back and charges nothing when the checkpoint covered all', async () => {
    const driver = await startSwept();
    expect(receiptOf(await driver.settle(1, anEnding(19)))).toEqual(['20', '0.2', '0']);
    expect(receiptOf(await driver.settle(1, anEnding(99)))).toEqual(['20', '0.2', '0']);
    expect(await driver.balance()).toBe('80/0/80');
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ reason: 'crashed', usage: { visibleOutputTokens: 20 } });
  });
}
