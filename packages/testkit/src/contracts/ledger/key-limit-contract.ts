import { expect, it } from '../test-runner.js';
import {
  type ApiKeyId, budgetAt, instant, type KeyBudget, later, type MoneyActOutcome, NO_SPENDING, type ReserveOutcome, reversalReferenceOf, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, requestFacts } from '../../builders/builders.js';
import {
  ONE_MICRO_TOKEN, OTHER_OWNER, progressOf, receiptOf, requestId, reservationId, type StartStore, STORE_ALICE, STORE_NOON, type StoreDriver,
} from '../store-subject.js';

const MIDNIGHT = instant(Date.UTC(2026, 10, 19));

function amount(text: string): ServiceTokens {
  return ServiceTokens.parse(text);
}

/** A daily limit, with the period of `at`, for the keys of one lineage. */
function budgetOf(limit: string, at = STORE_NOON, lineage = 'key_1'): KeyBudget {
  return budgetAt({ lineage: lineage as ApiKeyId, amount: amount(limit), period: 'day' }, at);
}

/** Spending of a budget, as `spent/reserved`. */
async function spending(driver: StoreDriver, budget: KeyBudget): Promise<string> {
  const { spent, reserved } = await driver.store.keys.spendingOf(budget);
  const others = ['2020-01-01', '2020-02'].map((period) => ({ ...budget, period: period as KeyBudget['period'] }));
  expect(await driver.store.keys.spendingOfAll([...others, budget])).toEqual([NO_SPENDING, NO_SPENDING, { spent, reserved }]);
  return `${spent.toString()}/${reserved.toString()}`;
}

function refusedByLimit(left: string): ReserveOutcome {
  return { outcome: 'key-limit', left: amount(left) };
}

export function keyLimitContract(start: StartStore): void {
  keyReservationContract(start);
  keySettlementContract(start);
}

function keyReservationContract(start: StartStore): void {
  it('serves exactly seven of 200 simultaneous requests of a key whose limit allows seven', async () => {
    const driver = await start();
    await driver.credit('1000');
    const budget = budgetOf('14');
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => driver.reserve(number, '2', { budget })));
    expect(outcomes.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(7);
    expect(outcomes.filter(({ outcome }) => outcome === 'key-limit')).toHaveLength(193);
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['0/14', '1000/14/986']);
  });

  it('reserves what is left of the limit if that covers the floor; otherwise refuses, and states what is left', async () => {
    const driver = await start();
    await driver.credit('100');
    const budget = budgetOf('10');
    expect(await driver.reserve(1, '8', { floor: '2', budget })).toEqual({ outcome: 'reserved', amount: amount('8') });
    expect(await driver.reserve(2, '8', { floor: '2.000001', budget })).toEqual(refusedByLimit('2'));
    expect(await driver.reserve(3, '8', { floor: '2', budget })).toEqual({ outcome: 'reserved', amount: amount('2') });
    expect(await driver.reserve(4, ONE_MICRO_TOKEN, { budget })).toEqual(refusedByLimit('0'));
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['0/10', '100/10/90']);
  });

  it('changes neither balance nor spending when the balance or the limit refuses a reservation', async () => {
    const driver = await start();
    await driver.credit('5');
    const budget = budgetOf('10');
    expect(await driver.reserve(1, '6', { budget })).toEqual({ outcome: 'insufficient', available: amount('5') });
    expect(await driver.reserve(2, '11', { budget })).toEqual(refusedByLimit('10'));
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['0/0', '5/0/5']);
    expect(await driver.reserve(3, '8', { floor: '1', budget })).toEqual({ outcome: 'reserved', amount: amount('5') });
  });

  it('counts a repeated reservation once, but none of a key of another lineage or without a limit', async () => {
    const driver = await start();
    await driver.credit('100');
    const budget = budgetOf('10');
    for (const _ of [1, 2]) expect((await driver.reserve(1, '6', { budget })).outcome).toBe('reserved');
    await driver.reserve(2, '10', { budget: budgetOf('10', STORE_NOON, 'key_2') });
    await driver.reserve(3, '10');
    expect(await spending(driver, budget)).toBe('0/6');
    expect((await driver.reserve(4, '4', { budget })).outcome).toBe('reserved');
  });

  it('extends a reservation up to what is left of the limit, and not beyond', async () => {
    const driver = await start();
    await driver.credit('100');
    const budget = budgetOf('10');
    await driver.reserve(1, '6', { budget });
    expect(await driver.store.ledger.extend(reservationId(1), amount('4.000001'))).toEqual(refusedByLimit('4'));
    expect((await driver.store.ledger.extend(reservationId(1), amount('4'))).outcome).toBe('reserved');
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['0/10', '100/10/90']);
    await driver.settle(1, anEnding(9));
    expect(await spending(driver, budget)).toBe('9/0');
  });

  it('does not count an extension that the balance refuses', async () => {
    const driver = await start();
    await driver.credit('8');
    const budget = budgetOf('10');
    await driver.reserve(1, '6', { budget });
    expect(await driver.store.ledger.extend(reservationId(1), amount('3'))).toEqual({ outcome: 'insufficient', available: amount('2') });
    expect(await spending(driver, budget)).toBe('0/6');
  });

  it('refuses reservations once the limit is lowered below the spending, and applies a raised limit immediately', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '6', { budget: budgetOf('10') });
    await driver.settle(1, anEnding(6));
    expect(await driver.reserve(2, ONE_MICRO_TOKEN, { budget: budgetOf('5') })).toEqual(refusedByLimit('0'));
    expect((await driver.reserve(3, '14', { budget: budgetOf('20') })).outcome).toBe('reserved');
  });

  it('begins each period at zero, and counts a request in the period in which it was reserved', async () => {
    const driver = await start();
    await driver.credit('100');
    const [before, after] = [budgetOf('10', later(MIDNIGHT, -1)), budgetOf('10', MIDNIGHT)];
    await driver.reserve(1, '10', { budget: before });
    expect((await driver.reserve(2, '10', { budget: after })).outcome).toBe('reserved');
    await driver.settle(1, anEnding(7, { endedAt: later(MIDNIGHT, 1000) }));
    await driver.settle(2, anEnding(3, { endedAt: later(MIDNIGHT, 1000) }));
    expect([await spending(driver, before), await spending(driver, after)]).toEqual(['7/0', '3/0']);
  });
}

function keySettlementContract(start: StartStore): void {
  it.each<readonly [name: string, known: string, extension: string]>([
    ['as it is held', '30', '0'], ['without its extension', '30', '10'], ['with an extension that failed', '40', '0'],
  ])('releases the held amount if the caller states the reservation %s', async (_name, known, extension) => {
    const driver = await start();
    await driver.credit('100');
    const budget = budgetOf('60');
    await driver.reserve(1, '30', { budget });
    await driver.store.ledger.extend(reservationId(1), amount(extension));
    const hold = { facts: requestFacts({ requestId: requestId(1), accountId: STORE_ALICE }), budget, amount: amount(known) };
    for (const tokens of [12, 25]) expect(receiptOf(await driver.settle(1, anEnding(tokens), hold))).toEqual(['12', '0.12', '0']);
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['12/0', '88/0/88']);
    expect(await driver.store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ ...hold.facts, reason: 'completed' });
  });

  it('counts a charge once, releases the rest of its reservation, and counts nothing for an unserved request', async () => {
    const driver = await start();
    await driver.credit('100');
    const budget = budgetOf('10');
    await driver.reserve(1, '6', { budget });
    await driver.reserve(2, '4', { budget });
    await driver.settle(1, anEnding(5));
    await driver.settle(1, anEnding(5));
    await driver.settle(2, anUnservedEnding());
    expect(await spending(driver, budget)).toBe('5/0');
  });

  it('caps a charge at the reservation plus what is left of the limit', async () => {
    const driver = await start();
    await driver.credit('100');
    const budget = budgetOf('10');
    await driver.reserve(1, '4', { budget });
    await driver.reserve(2, '3', { budget });
    expect(receiptOf(await driver.settle(1, anEnding(20)))).toEqual(['7', '0.07', '13']);
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['7/3', '93/3/90']);
    expect(receiptOf(await driver.settle(2, anEnding(3)))).toEqual(['3', '0.03', '0']);
    expect(await spending(driver, budget)).toBe('10/0');
  });

  /** Reserves 6 under a limit of 10, and sweeps the reservation at a checkpoint of 2. */
  async function startSwept(): Promise<readonly [StoreDriver, KeyBudget]> {
    const driver = await start();
    const budget = budgetOf('10');
    await driver.credit('100');
    await driver.reserve(1, '6', { owner: OTHER_OWNER, budget });
    await driver.store.ledger.checkpoint({
      ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: STORE_NOON, progress: new Map([[reservationId(1), progressOf(2)]]),
    });
    await driver.store.ledger.sweep(STORE_NOON);
    return [driver, budget];
  }

  it('counts the charge of a swept request and its late charge once each', async () => {
    const [driver, budget] = await startSwept();
    expect(await spending(driver, budget)).toBe('2/0');
    for (const _ of [1, 2]) expect(receiptOf(await driver.settle(1, anEnding(5)))).toEqual(['5', '0.05', '0']);
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['5/0', '95/0/95']);
  });

  it('still counts refunded charges, but no longer counts reversed ones, whether regular or late', async () => {
    const [driver, budget] = await startSwept();
    await driver.settle(1, anEnding(5));
    await driver.reserve(2, '4', { budget });
    await driver.settle(2, anEnding(3));
    const refund = (number: number, units: string, reference: string): Promise<MoneyActOutcome> => driver.store.ledger.book({
      kind: 'refund', requestId: requestId(number), accountId: STORE_ALICE, amount: amount(units), reference, reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON,
    });
    await refund(2, '1', 'sorry');
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['8/0', '93/0/93']);
    for (let times = 0; times < 2; times += 1) await refund(1, '5', reversalReferenceOf(requestId(1)));
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['3/0', '98/0/98']);
    await refund(2, '3', reversalReferenceOf(requestId(2)));
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['1/0', '100/0/100']);
    expect((await driver.reserve(3, '9', { budget })).outcome).toBe('reserved');
    expect((await driver.store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('caps a late charge at what is left of the limit', async () => {
    const [driver, budget] = await startSwept();
    await driver.reserve(2, '7', { budget });
    expect(receiptOf(await driver.settle(1, anEnding(5)))).toEqual(['3', '0.03', '2']);
    expect([await spending(driver, budget), await driver.balance()]).toEqual(['3/7', '97/7/90']);
  });
}
