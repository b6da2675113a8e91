import { expect, it } from '../test-runner.js';
import { type Booked, MAX_BALANCE, type MoneyAct, type MoneyActOutcome, reversalReferenceOf, ServiceTokens, type SettleOutcome, SYSTEM_ACTOR } from '@tollgate/core';
import { anEnding, anUnservedEnding } from '../../builders/builders.js';
import { OTHER_OWNER, OWNER, progressOf, requestId, reservationId, type StartStore, STORE_ALICE, STORE_NOON, type StoreDriver } from '../store-subject.js';

function textOf({ kind, accountId, requestId: request, reference, amount, balance, served }: Booked): string {
  const service = served === null ? '' : ` for ${served.format ?? 'none'} ${served.model ?? 'none'}, ${served.writeOff.toString()} written off`;
  return `${kind} ${reference} of ${accountId}, ${request ?? 'no request'}: ${amount.toString()} to ${balance.posted.toString()}/${balance.reserved.toString()}${service}`;
}

function act(amount: string, reference: string): Omit<MoneyAct, 'kind'> {
  return { accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference, reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON };
}

/** Returns a function that returns the bookings which were announced since its previous call. */
function heardSince({ bookings }: StoreDriver['store']): () => readonly string[] {
  let heard: Booked[] = [];
  bookings.add({ booked: (booked) => void heard.push(booked) }, () => undefined);
  return () => {
    const texts = heard.map(textOf);
    heard = [];
    return texts;
  };
}

function returnedBy(outcome: MoneyActOutcome | SettleOutcome): readonly string[] {
  return 'booked' in outcome && outcome.booked !== null ? [textOf(outcome.booked)] : [];
}

/** Makes a reservation of the other owner, which reports progress of 4 tokens and stops. Returns what the sweep then books. */
async function sweepOne(driver: StoreDriver, number: number): Promise<readonly Booked[]> {
  await driver.reserve(number, '20', { owner: OTHER_OWNER });
  await driver.store.ledger.checkpoint({ ownerId: OTHER_OWNER, progress: new Map([[reservationId(number), progressOf(4)]]), at: STORE_NOON, leaseExpiresAt: STORE_NOON });
  return driver.store.ledger.sweep(STORE_NOON);
}

/**
 * Tests that each change of a balance is returned and announced once. After every test the ledger's suite checks that the announced amounts add up to
 * the balances.
 */
export function bookingsContract(start: StartStore): void {
  it('returns and announces each act of money once, of whatever kind, but no refused act', async () => {
    const driver = await start();
    const { ledger } = driver.store;
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    const heard = heardSince(driver.store);
    const acts: readonly MoneyAct[] = [
      { ...act('1', 'a'), kind: 'top-up' }, { ...act('2', 'b'), kind: 'signup-credit' }, { ...act('3', 'c'), kind: 'refund', requestId: requestId(1) },
      { ...act('9', reversalReferenceOf(requestId(1))), kind: 'refund', requestId: requestId(1) },
      { ...act('4', 'd'), kind: 'correction', direction: 'raise' }, { ...act('5', 'e'), kind: 'correction', direction: 'lower' },
    ];
    const booked = [];
    for (const each of acts) booked.push(await ledger.book(each));
    const expected = [
      'top-up a of acct_alice, no request: 1 to 91/0', 'signup-credit b of acct_alice, no request: 2 to 93/0', 'refund c of acct_alice, req_1: 3 to 96/0',
      'refund reversal of req_1 of acct_alice, req_1: 7 to 103/0', 'correction d of acct_alice, no request: 4 to 107/0', 'correction e of acct_alice, no request: -5 to 102/0',
    ];
    expect(booked.flatMap(returnedBy)).toEqual(expected);
    expect(heard()).toEqual(expected);
    for (const each of acts) expect(returnedBy(await ledger.book(each))).toEqual([]);
    await ledger.book({ ...act('1', 'c'), kind: 'top-up' });
    await ledger.book({ ...act('11', 'f'), kind: 'refund', requestId: requestId(1) });
    await ledger.book({ ...act('103', 'g'), kind: 'correction', direction: 'lower' });
    await expect(ledger.book({ ...act('1', 'h'), amount: MAX_BALANCE, kind: 'top-up' })).rejects.toThrow('would exceed the maximum');
    expect(heard()).toEqual([]);
  });

  it('announces each settlement once, even a free one, but no reservation', async () => {
    const driver = await start();
    await driver.credit('100');
    const heard = heardSince(driver.store);
    await driver.reserve(1, '20');
    await driver.reserve(2, '30');
    await driver.store.ledger.extend(reservationId(2), ServiceTokens.parse('5'));
    await driver.store.ledger.checkpoint({ ownerId: OWNER, progress: new Map([[reservationId(1), progressOf(4)]]), at: STORE_NOON, leaseExpiresAt: STORE_NOON });
    expect(heard()).toEqual([]);
    const settled = 'settlement rsv_1 of acct_alice, req_1: -10 to 90/35 for chat small, 0 written off';
    expect(returnedBy(await driver.settle(1, anEnding(10)))).toEqual([settled]);
    expect(returnedBy(await driver.settle(1, anEnding(11)))).toEqual([]);
    await driver.settle(2, anUnservedEnding());
    expect(heard()).toEqual([settled, 'settlement rsv_2 of acct_alice, req_2: 0 to 90/0 for chat none, 0 written off']);
    await driver.serve(3, anEnding(100));
    expect(heard()).toEqual(['settlement rsv_3 of acct_alice, req_3: -90 to 0/0 for chat small, 10 written off']);
    await expect(driver.settle(9, anEnding(1))).rejects.toThrow('reservation');
    expect(heard()).toEqual([]);
  });

  it('announces concurrent settlements of one reservation once', async () => {
    const driver = await start();
    await driver.credit('100');
    await driver.reserve(1, '20');
    const heard = heardSince(driver.store);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => driver.settle(1, anEnding(10))));
    expect(outcomes.flatMap(returnedBy)).toEqual(heard());
    expect(outcomes.filter(({ booked }) => booked !== null)).toHaveLength(1);
  });

  it('returns and announces each reservation that a sweep ends, and each late settlement with its additional charge', async () => {
    const driver = await start();
    await driver.credit('100');
    const heard = heardSince(driver.store);
    const swept = ['sweep rsv_1 of acct_alice, req_1: -4 to 96/0 for chat small, 0 written off'];
    expect((await sweepOne(driver, 1)).map(textOf)).toEqual(swept);
    expect(await driver.store.ledger.sweep(STORE_NOON)).toEqual([]);
    expect(heard()).toEqual(swept);
    const late = ['late-settlement rsv_1 of acct_alice, req_1: -5 to 91/0 for chat small, 0 written off'];
    expect(returnedBy(await driver.settle(1, anEnding(9)))).toEqual(late);
    expect(returnedBy(await driver.settle(1, anEnding(12)))).toEqual([]);
    expect(heard()).toEqual(late);
    await sweepOne(driver, 2);
    heard();
    expect(returnedBy(await driver.settle(2, anEnding(3)))).toEqual([]);
    expect(heard()).toEqual([]);
  });

  it('announces a late settlement whose whole charge is written off', async () => {
    const driver = await start();
    await driver.credit('20');
    await sweepOne(driver, 1);
    await driver.reserve(2, '16');
    const heard = heardSince(driver.store);
    await driver.settle(1, anEnding(9));
    expect(heard()).toEqual(['late-settlement rsv_1 of acct_alice, req_1: 0 to 16/16 for chat small, 5 written off']);
  });

  it('returns and announces each forgotten reservation that a sweep ends', async () => {
    const driver = await start();
    await driver.credit('100');
    for (const number of [1, 2]) await driver.reserve(number, '10', { at: STORE_NOON });
    const heard = heardSince(driver.store);
    const at = STORE_NOON + 1 as typeof STORE_NOON;
    const booked = await driver.store.ledger.sweepForgotten({ ownerId: OWNER, reservedBefore: at, isKnown: () => false, at });
    expect(booked.map(({ kind, reference }) => `${kind} ${reference}`).toSorted()).toEqual(['sweep rsv_1', 'sweep rsv_2']);
    expect(heard().toSorted()).toEqual(booked.map(textOf).toSorted());
  });

  it('does not notify an observer that was removed', async () => {
    const driver = await start();
    const heard: Booked[] = [];
    const remove = driver.store.bookings.add({ booked: (booked) => void heard.push(booked) }, () => undefined);
    await driver.credit('1');
    remove();
    await driver.credit('2');
    expect(heard).toHaveLength(1);
  });

  it('reports the failure of an observer, still books, and notifies the other observers', async () => {
    const driver = await start();
    const failure = new Error('the observer failed');
    const failures: unknown[] = [];
    driver.store.bookings.add({ booked: () => { throw failure; } }, (thrown) => void failures.push(thrown));
    const heard = heardSince(driver.store);
    await driver.credit('100');
    for (const number of [1, 2]) await driver.reserve(number, '10', { at: STORE_NOON });
    const at = STORE_NOON + 1 as typeof STORE_NOON;
    expect(await driver.store.ledger.sweepForgotten({ ownerId: OWNER, reservedBefore: at, isKnown: () => false, at })).toHaveLength(2);
    expect(heard()).toHaveLength(3);
    expect(failures).toEqual([failure, failure, failure]);
  });
}
