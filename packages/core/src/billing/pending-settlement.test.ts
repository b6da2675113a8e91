import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, type MemoryStore } from '@tollgate/adapters-memory';
import { anEnding, deleteAccount, receiptOf, requestFacts, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { ServiceTokens } from '../money/service-tokens.js';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import type { MoneyAct } from './money-act.js';
import { ReversalRefused, settlePromised } from './pending-settlement.js';
import type { Settlement } from './reservation.js';

describe('a settlement above the promised charge', () => {
  let store: MemoryStore;
  let driver: StoreDriver;

  beforeEach(async () => {
    store = createMemoryStore();
    driver = await StoreDriver.start(() => store);
    await driver.credit('100');
    await driver.reserve(1, '10');
    await driver.settle(1, anEnding(10));
  });

  function amount(text: string): ServiceTokens {
    return ServiceTokens.parse(text);
  }

  function settle(atMost: string): Promise<Settlement> {
    const hold = { facts: requestFacts({ requestId: requestId(1), accountId: STORE_ALICE }), amount: amount('10') };
    return settlePromised(store.ledger, { reservationId: reservationId(1), ending: anEnding(10), atMost: amount(atMost), hold }, STORE_NOON);
  }

  async function book(act: Pick<MoneyAct, 'kind' | 'reference'> & { readonly amount: string }): Promise<void> {
    const booked = await store.ledger.book({ ...act, requestId: requestId(1), accountId: STORE_ALICE, amount: amount(act.amount), reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON } as MoneyAct);
    expect(booked.outcome).toBe('booked');
  }

  it('is reversed down to the promise once, and returns the charge and the balance after the reversal', async () => {
    for (let times = 0; times < 2; times += 1) {
      const settlement = await settle('7');
      expect([...receiptOf(settlement), settlement.balance?.posted]).toEqual(['7', '0.07', '0', amount('93')]);
    }
    expect(receiptOf(await settle('10'))[0]).toBe('10');
    expect(await driver.balance()).toBe('93/0/93');
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('is reversed, except for the part that earlier refunds have returned', async () => {
    await book({ kind: 'refund', reference: 'sorry', amount: '4' });
    for (let times = 0; times < 2; times += 1) await settle('0');
    expect(await driver.balance()).toBe('100/0/100');
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('is not reversed if earlier refunds have returned the whole charge', async () => {
    await book({ kind: 'refund', reference: 'sorry', amount: '10' });
    await settle('0');
    expect(await driver.balance()).toBe('100/0/100');
  });

  it('throws if the reversal is refused', async () => {
    await deleteAccount(store, STORE_ALICE);
    await expect(settle('0')).rejects.toThrow(ReversalRefused);
    await expect(settle('0')).rejects.toThrow('is deleted');
    expect(await driver.balance()).toBe('0/0/0');
  });
});
