import { afterEach, describe, expect, it } from '../test-runner.js';
import { type AccountId, type ApiKey, type ApiKeyId, later, type ReservationId, type ReserveOutcome, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anApiKey, anEnding } from '../../builders/builders.js';
import {
  type MakeStore, ONE_MICRO_TOKEN, receiptOf, reservationId, type StartStore, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver,
  type StoreSubject,
} from '../store-subject.js';
import { bookingsContract } from './bookings-contract.js';
import { keyLimitContract } from './key-limit-contract.js';
import { lateSettlementContract, settleContract } from './settle-contract.js';
import { sweepContract } from './sweep-contract.js';
import { moneyActsContract } from './money-acts-contract.js';
import { purchaseContract } from './purchase-contract.js';

export function ledgerContract(name: string, make: MakeStore): void {
  describe(`Ledger contract: ${name}`, () => {
    let driver: StoreDriver | null = null;
    const start: StartStore = async () => {
      driver = await StoreDriver.start(make);
      return driver;
    };
    /** Checks after each test that the books balance, and that the announced amounts of each account add up to its balance. */
    afterEach(async () => {
      const ended = driver;
      driver = null;
      if (ended === null) return;
      const { differences } = await ended.store.ledgerAudit.verify();
      const posted = await Promise.all([STORE_ALICE, STORE_BOB].map(async (id) => (await ended.store.ledger.balanceOf(id))?.posted.toString()));
      await ended.close();
      expect(differences.filter(({ invariant }) => !ended.broken.has(invariant))).toEqual([]);
      const heardOf = (id: AccountId): string => ended.heard.filter(({ accountId }) => accountId === id).reduce((sum, { amount }) => sum.plus(amount), ServiceTokens.ZERO).toString();
      expect([STORE_ALICE, STORE_BOB].map(heardOf)).toEqual(posted);
    });

    creditContract(start);
    moneyActsContract(start);
    bookingsContract(start);
    reserveContract(start);
    extendContract(start);
    settleContract(start);
    sweepContract(start);
    lateSettlementContract(start);
    lastUseContract(start);
    keyLimitContract(start);
    purchaseContract(start);
  });
}

function creditContract(start: StartStore): void {
  function creditOf(accountId: AccountId, amount: string, reference: string): Parameters<StoreSubject['ledger']['credit']>[0] {
    return { accountId, amount: ServiceTokens.parse(amount), reference, actor: SYSTEM_ACTOR, at: STORE_NOON };
  }

  it('returns null as the balance of an unknown account, and zero as that of a new one', async () => {
    const driver = await start();
    expect(await driver.store.ledger.balanceOf('acct_nobody' as AccountId)).toBeNull();
    expect(await driver.balance()).toBe('0/0/0');
  });

  it('credits once per account and reference, however often the credit is sent', async () => {
    const { ledger } = (await start()).store;
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ledger.credit(creditOf(STORE_ALICE, '12.5', 'invoice 1'))));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['credited', 'repeated', 'repeated', 'repeated', 'repeated']);
    expect((await ledger.credit(creditOf(STORE_BOB, '12.5', 'invoice 1'))).outcome).toBe('credited');
    expect((await ledger.balanceOf(STORE_ALICE))?.posted.toString()).toBe('12.5');
  });

  it.each([
    ['another amount under a used reference', STORE_ALICE, '13', 'reference-used-for-another-amount'],
    ['an account that does not exist', 'acct_nobody' as AccountId, '12', 'no-such-account'],
  ])('refuses %s and changes nothing', async (_, accountId, amount, outcome) => {
    const driver = await start();
    await driver.store.ledger.credit(creditOf(STORE_ALICE, '12', 'invoice 1'));
    expect(await driver.store.ledger.credit(creditOf(accountId, amount, 'invoice 1'))).toEqual({ outcome });
    expect(await driver.balance()).toBe('12/0/12');
  });

  it('keeps amounts exact beyond 2^53 micro-tokens', async () => {
    const driver = await start();
    await driver.credit('98765432109.123457');
    await driver.reserve(1, '98765432109.123456');
    expect(await driver.balance()).toBe('98765432109.123457/98765432109.123456/0.000001');
  });
}

function setAside(amount: string): ReserveOutcome {
  return { outcome: 'reserved', amount: ServiceTokens.parse(amount) };
}

/** Credits the account, then makes 200 concurrent reservations of 2 with a floor of 0.5. Returns the reserved amounts. */
async function rush(driver: StoreDriver, credit: string): Promise<readonly string[]> {
  await driver.credit(credit);
  const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => driver.reserve(number, '2', { floor: '0.5' })));
  return outcomes.flatMap((outcome) => (outcome.outcome === 'reserved' ? [outcome.amount.toString()] : []));
}

function reserveContract(start: StartStore): void {
  it('reserves up to the last micro-token, and otherwise refuses with the available amount', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '10')).toEqual(setAside('10'));
    expect(await driver.reserve(2, ONE_MICRO_TOKEN)).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
    expect(await driver.balance()).toBe('10/10/0');
  });

  it('serves exactly seven of 200 simultaneous requests when the balance pays for seven', async () => {
    const driver = await start();
    await driver.credit('14');
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => driver.reserve(number, '2')));
    expect(outcomes.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(7);
    expect(outcomes.filter(({ outcome }) => outcome === 'insufficient')).toHaveLength(193);
    expect(await driver.balance()).toBe('14/14/0');
  });

  it('refuses a reservation above the available amount, and then accepts a smaller one', async () => {
    const driver = await start();
    await driver.credit('10');
    const outcomes = await Promise.all([driver.reserve(1, '4'), driver.reserve(2, '7'), driver.reserve(3, '6')]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['reserved', 'insufficient', 'reserved']);
  });

  it('makes one reservation for repeated requests with the same id, even after that reservation has ended', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.reserve(1, '6');
    expect(await driver.reserve(1, '6')).toEqual(setAside('6'));
    expect(await driver.balance()).toBe('10/6/4');
    await driver.settle(1, anEnding(1));
    expect(await driver.reserve(1, '6')).toEqual(setAside('6'));
    expect(await driver.balance()).toBe('9/0/9');
  });

  it('reserves the available amount when it covers only the floor, and settles the reservation like any other', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '20', { floor: '10' })).toEqual(setAside('10'));
    expect(await driver.balance()).toBe('10/10/0');
    await driver.settle(1, anEnding(7));
    expect(await driver.balance()).toBe('3/0/3');
    expect(await driver.reserve(2, '20', { floor: '2.999999' })).toEqual(setAside('3'));
    await driver.settle(2, anEnding(9));
    expect(await driver.balance()).toBe('0/0/0');
  });

  it('refuses when the floor exceeds the available amount by one micro-token', async () => {
    const driver = await start();
    await driver.credit('10');
    expect(await driver.reserve(1, '20', { floor: '10.000001' })).toEqual({ outcome: 'insufficient', available: ServiceTokens.parse('10') });
    expect(await driver.balance()).toBe('10/0/10');
  });

  it('serves exactly eight of 200 simultaneous requests when the balance pays for seven and what is left covers the floor', async () => {
    const driver = await start();
    expect(await rush(driver, '14.5')).toEqual(['2', '2', '2', '2', '2', '2', '2', '0.5']);
    expect(await driver.balance()).toBe('14.5/14.5/0');
  });

  it('serves exactly seven of 200 simultaneous requests when the balance pays for seven and what is left is below the floor', async () => {
    const driver = await start();
    expect(await rush(driver, '14.499999')).toEqual(['2', '2', '2', '2', '2', '2', '2']);
    expect(await driver.balance()).toBe('14.499999/14/0.499999');
  });

  it('answers a repeated reservation with the amount of the first, although more is available', async () => {
    const driver = await start();
    await driver.credit('5');
    expect(await driver.reserve(1, '9', { floor: '1' })).toEqual(setAside('5'));
    await driver.credit('50');
    expect(await driver.reserve(1, '9', { floor: '1' })).toEqual(setAside('5'));
    expect(await driver.balance()).toBe('55/5/50');
  });

  it('charges at most the sum of a partial reservation and its extension', async () => {
    const driver = await start();
    await driver.credit('5');
    await driver.reserve(1, '9', { floor: '1' });
    await driver.credit('2');
    expect((await driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('2'))).outcome).toBe('reserved');
    expect(receiptOf(await driver.settle(1, anEnding(8)))).toEqual(['7', expect.any(String), '1']);
    expect(await driver.balance()).toBe('0/0/0');
  });

  it('makes no reservation on an account that does not exist', async () => {
    const driver = await start();
    const outcome = await driver.reserve(1, '1', { facts: { accountId: 'acct_nobody' as AccountId } });
    expect(outcome).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
  });

  it('refuses to reserve an amount that no balance can reach', async () => {
    const driver = await start();
    await driver.credit('10');
    expect((await driver.reserve(1, '999999999999999')).outcome).toBe('insufficient');
  });
}

function extendContract(start: StartStore): void {
  it('extends a reservation up to the available amount, and not beyond', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.reserve(1, '6');
    const { ledger } = driver.store;
    expect(await ledger.extend(reservationId(1), ServiceTokens.parse('4'))).toEqual({ outcome: 'reserved', amount: ServiceTokens.parse('4') });
    expect(await ledger.extend(reservationId(1), ServiceTokens.parse(ONE_MICRO_TOKEN))).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
    expect(await driver.balance()).toBe('10/10/0');
    await driver.settle(1, anEnding(9));
    expect(await driver.balance()).toBe('1/0/1');
  });

  it('throws for the extension of a reservation that is not held, and does not change the balance', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.serve(1, anEnding(1));
    await expect(driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('1'))).rejects.toThrow('only a held reservation is extended');
    await expect(driver.store.ledger.extend('rsv_none' as ReservationId, ServiceTokens.parse('1'))).rejects.toThrow('only a held reservation is extended');
    expect(await driver.balance()).toBe('9/0/9');
  });

  it('applies two of three concurrent operations when the third fails', async () => {
    const driver = await start();
    await driver.credit('10');
    const [first, failed, last] = await Promise.allSettled([
      driver.reserve(1, '2'), driver.store.ledger.extend('rsv_none' as ReservationId, ServiceTokens.parse('1')), driver.reserve(2, '3'),
    ]);
    expect([first.status, failed.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await driver.balance()).toBe('10/5/5');
  });
}

function lastUseContract(start: StartStore): void {
  it('records when a key was last used, to the minute', async () => {
    const driver = await start();
    const { keys } = driver.store;
    const key = anApiKey({ createdAt: STORE_NOON });
    await keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
    const noted: (ApiKey['lastUsedAt'])[] = [];
    for (const [number, after] of [0, 59_999, 60_000, 1].entries()) {
      await driver.serve(number, anEnding(0), { keyId: key.id, startedAt: later(STORE_NOON, after) });
      noted.push((await keys.findById(STORE_ALICE, key.id))?.lastUsedAt ?? null);
    }
    expect(noted).toEqual([STORE_NOON, STORE_NOON, later(STORE_NOON, 60_000), later(STORE_NOON, 60_000)]);
  });

  it('reports that an account has used a key after the first request with one, but not after a playground request', async () => {
    const driver = await start();
    const { keys } = driver.store;
    const key = anApiKey({ createdAt: STORE_NOON });
    await keys.create({ key, maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
    const playground = await keys.createPlaygroundKey({ id: 'key_playground' as ApiKeyId, accountId: STORE_ALICE, createdAt: STORE_NOON }, SYSTEM_ACTOR);
    await driver.serve(0, anEnding(0), { keyId: playground?.id ?? null, startedAt: STORE_NOON });
    expect(await keys.hasUsedKey(STORE_ALICE)).toBe(false);
    await driver.serve(1, anEnding(0), { keyId: key.id, startedAt: STORE_NOON });
    await keys.revoke(STORE_ALICE, key.id, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    expect([await keys.hasUsedKey(STORE_ALICE), await keys.hasUsedKey(STORE_BOB)]).toEqual([true, false]);
  });
}
