import { expect, it } from '../test-runner.js';
import { type ApiKeyId, type Ending, type Instant, type KeyBudget, later, type MoneyActOutcome, reversalReferenceOf, ServiceTokens, type Settlement, SYSTEM_ACTOR, type UtcMonth } from '@tollgate/core';
import { anEnding, anUnservedEnding } from '../../builders/builders.js';
import {
  OTHER_OWNER, progressOf, receiptOf, requestId, reservationId, type StartStore, STORE_ALICE, STORE_NOON, type StoreDriver,
} from '../store-subject.js';

const SWEPT_AT: Instant = later(STORE_NOON, 1000);
const BUDGET: KeyBudget = { lineage: 'key_1' as ApiKeyId, period: '2026-11' as UtcMonth, limit: ServiceTokens.parse('100') };

/** A store in which request 1 was swept at `checkpoint` tokens, and in which later requests belong to its purchase. */
async function takenOver(start: StartStore, checkpoint: number, budget: KeyBudget | null = null): Promise<StoreDriver> {
  const driver = await start();
  const limit = budget === null ? {} : { budget };
  await driver.credit('100');
  await driver.renewLease(OTHER_OWNER, SWEPT_AT);
  await driver.reserve(1, '30', { owner: OTHER_OWNER, ...limit });
  await driver.store.ledger.checkpoint({ ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: SWEPT_AT, progress: new Map([[reservationId(1), progressOf(checkpoint)]]) });
  await driver.store.ledger.sweep(SWEPT_AT);
  await driver.reserve(2, '30', { purchaseOf: requestId(1), ...limit });
  return driver;
}

function settle(driver: StoreDriver, number: number, ending: Ending, atMost?: string): Promise<Settlement> {
  return driver.store.ledger.settle({ reservationId: reservationId(number), ending, ...(atMost === undefined ? {} : { atMost: ServiceTokens.parse(atMost) }) });
}

/** Refunds part of the charge of request 1. With the reference of a reversal, the refund is a reversal. */
function giveBack(driver: StoreDriver, amount: string, reference: string): Promise<MoneyActOutcome> {
  return driver.store.ledger.book({
    kind: 'refund', requestId: requestId(1), accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference, reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON,
  });
}

/** What a request was charged, which request it continues, and which part of its cost had been paid. */
async function recorded(driver: StoreDriver, number: number): Promise<readonly (string | undefined)[]> {
  const record = await driver.store.usage.find(STORE_ALICE, requestId(number));
  return [record?.charge.amount.toString(), record?.purchase?.firstRequestId, record?.purchase?.covered.toString()];
}

/** Tests that the requests of a purchase are together charged the largest of their costs. */
export function purchaseContract(start: StartStore): void {
  it('charges the second request of a purchase only for what the first did not pay', async () => {
    const driver = await takenOver(start, 4);
    expect(receiptOf(await settle(driver, 2, anEnding(10)))).toEqual(['6', '0.06', '0']);
    expect(await recorded(driver, 1)).toEqual(['4', requestId(1), '0']);
    expect(await recorded(driver, 2)).toEqual(['6', requestId(1), '4']);
    expect(await driver.balance()).toBe('90/0/90');
  });

  it('charges a second request zero if the first paid at least as much', async () => {
    const driver = await takenOver(start, 12);
    expect(receiptOf(await settle(driver, 2, anEnding(10)))[0]).toBe('0');
    expect(await recorded(driver, 2)).toEqual(['0', requestId(1), '10']);
    expect(await driver.balance()).toBe('88/0/88');
  });

  it.each([['the second request is settled first', [2, 1]], ['the late settlement of the first request comes first', [1, 2]]])('charges the larger of both costs if %s', async (_, order) => {
    for (const [first, second] of [[15, 3], [3, 15]] as const) {
      const driver = await takenOver(start, 2);
      for (const number of order) await settle(driver, number, anEnding(number === 1 ? first : second));
      expect(await driver.balance()).toBe('85/0/85');
      for (const number of order) await settle(driver, number, anEnding(99));
      expect(await driver.balance()).toBe('85/0/85');
      expect((await driver.store.ledgerAudit.verify()).differences).toEqual([]);
    }
  });

  it('charges the first request its whole cost if its successor ends without a charge', async () => {
    const driver = await takenOver(start, 4);
    expect(receiptOf(await settle(driver, 2, anUnservedEnding()))[0]).toBe('0');
    expect(receiptOf(await settle(driver, 1, anEnding(7)))[0]).toBe('7');
    expect(await driver.balance()).toBe('93/0/93');
  });

  it('charges three requests of a purchase together the largest of their costs, even if one of them was swept', async () => {
    const driver = await takenOver(start, 4);
    await driver.reserve(3, '30', { purchaseOf: requestId(1) });
    await settle(driver, 3, anEnding(9));
    await driver.store.ledger.retire(OTHER_OWNER);
    await settle(driver, 1, anEnding(20));
    await settle(driver, 2, anEnding(12));
    expect([await recorded(driver, 1), await recorded(driver, 2), await recorded(driver, 3)].map(([charge]) => charge)).toEqual(['15', '0', '5']);
    expect(await driver.balance()).toBe('80/0/80');
  });

  it('counts the charges against the key’s limit, and refunds each request at most its own charge', async () => {
    const driver = await takenOver(start, 4, BUDGET);
    await settle(driver, 2, anEnding(10));
    expect(await driver.reserve(4, '91', { budget: BUDGET })).toEqual({ outcome: 'key-limit', left: ServiceTokens.parse('90') });
    const refund = (amount: string): ReturnType<typeof driver.store.ledger.book> => driver.store.ledger.book({
      kind: 'refund', requestId: requestId(2), accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference: 'sorry', reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON,
    });
    expect(await refund('7')).toMatchObject({ outcome: 'exceeds-charge' });
    expect((await refund('6')).outcome).toBe('booked');
  });

  it('counts refunded amounts as paid, and does not charge them again', async () => {
    const driver = await takenOver(start, 10);
    expect((await giveBack(driver, '4', 'sorry')).outcome).toBe('booked');
    expect(receiptOf(await settle(driver, 2, anEnding(12)))[0]).toBe('2');
    expect(await recorded(driver, 2)).toEqual(['2', requestId(1), '10']);
    expect(await driver.balance()).toBe('92/0/92');
    expect((await giveBack(driver, '10', 'again')).outcome).toBe('exceeds-charge');
    expect((await driver.store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('does not count reversed amounts as paid, in regular and late settlements', async () => {
    const driver = await takenOver(start, 10);
    expect((await giveBack(driver, '10', reversalReferenceOf(requestId(1)))).outcome).toBe('booked');
    expect(receiptOf(await settle(driver, 2, anEnding(12)))[0]).toBe('12');
    expect(await recorded(driver, 2)).toEqual(['12', requestId(1), '0']);
    expect(await driver.balance()).toBe('88/0/88');
    await settle(driver, 1, anEnding(15));
    expect(await driver.balance()).toBe('85/0/85');
    expect((await driver.store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('keeps the charge of the second request if the first, which paid a part of the cost, is reversed later', async () => {
    const driver = await takenOver(start, 4);
    await settle(driver, 2, anEnding(12));
    expect((await giveBack(driver, '4', reversalReferenceOf(requestId(1)))).outcome).toBe('booked');
    expect(receiptOf(await settle(driver, 2, anEnding(12)))[0]).toBe('8');
    expect(await driver.balance()).toBe('92/0/92');
    expect((await driver.store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('charges at most the amount that the receipt promised, and writes off the rest', async () => {
    const driver = await takenOver(start, 4);
    expect(receiptOf(await settle(driver, 2, anEnding(10), '1'))).toEqual(['1', '0.01', '5']);
    expect(receiptOf(await settle(driver, 1, anEnding(20), '6'))).toEqual(['6', '0.06', '13']);
    await driver.reserve(5, '10');
    expect(receiptOf(await settle(driver, 5, anEnding(8), '3'))).toEqual(['3', '0.03', '5']);
    expect(await driver.balance()).toBe('90/0/90');
  });
}
