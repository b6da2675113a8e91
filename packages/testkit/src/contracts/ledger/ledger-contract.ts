import { afterEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type ApiKey, later, type ReservationId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import {
  type MakeStore, ONE_MICRO_TOKEN, reservationId, type StartStore, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject,
} from '../store-subject.js';
import { anApiKey, anEnding } from '../../builders.js';
import { keyLimitContract } from './key-limit-contract.js';
import { lateSettlementContract, settleContract, sweepContract } from './settle-contract.js';
import { moneyActsContract } from './money-acts-contract.js';
import { reserveContract } from './reserve-contract.js';

/** What every ledger guarantees, whatever keeps it. */
export function ledgerContract(name: string, make: MakeStore): void {
  describe(`Ledger contract: ${name}`, () => {
    let driver: StoreDriver | null = null;
    const start: StartStore = async () => {
      driver = await StoreDriver.start(make);
      return driver;
    };
    /** Whatever a test did, the books balance afterwards. */
    afterEach(async () => {
      const ended = driver;
      driver = null;
      if (ended === null) return;
      const { differences } = await ended.store.ledgerAudit.verify();
      await ended.close();
      expect(differences).toEqual([]);
    });

    creditContract(start);
    moneyActsContract(start);
    reserveContract(start);
    extendContract(start);
    settleContract(start);
    sweepContract(start);
    lateSettlementContract(start);
    lastUseContract(start);
    keyLimitContract(start);
  });
}

/** Credits, and the balances that they make. */
function creditContract(start: StartStore): void {
  function creditOf(accountId: AccountId, amount: string, reference: string): Parameters<StoreSubject['ledger']['credit']>[0] {
    return { accountId, amount: ServiceTokens.parse(amount), reference, actor: SYSTEM_ACTOR, at: STORE_NOON };
  }

  it('knows no balance of an account that does not exist, and none yet of a new one', async () => {
    const driver = await start();
    expect(await driver.store.ledger.balanceOf('acct_nobody' as AccountId)).toBeNull();
    expect(await driver.balance()).toBe('0/0/0');
  });

  it('credits once per account and reference, however often it is sent', async () => {
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

/** Reservations that grow while their request runs. */
function extendContract(start: StartStore): void {
  it('extends by what is available and not by more', async () => {
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

  it('throws for a reservation that is not held, and changes nothing', async () => {
    const driver = await start();
    await driver.credit('10');
    await driver.serve(1, anEnding(1));
    await expect(driver.store.ledger.extend(reservationId(1), ServiceTokens.parse('1'))).rejects.toThrow('only a held reservation is extended');
    await expect(driver.store.ledger.extend('rsv_none' as ReservationId, ServiceTokens.parse('1'))).rejects.toThrow('only a held reservation is extended');
    expect(await driver.balance()).toBe('9/0/9');
  });

  it('lets the operations beside a failing one take effect', async () => {
    const driver = await start();
    await driver.credit('10');
    const [first, failed, last] = await Promise.allSettled([
      driver.reserve(1, '2'), driver.store.ledger.extend('rsv_none' as ReservationId, ServiceTokens.parse('1')), driver.reserve(2, '3'),
    ]);
    expect([first.status, failed.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await driver.balance()).toBe('10/5/5');
  });
}

/** A settlement updates the last use of the request's key. */
function lastUseContract(start: StartStore): void {
  it('notes the last use of a key to the minute', async () => {
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
}
