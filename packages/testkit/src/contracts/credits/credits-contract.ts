import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type MoneyAct, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { anEnding } from '../../builders/builders.js';
import { readAll } from '../events/events-subject.js';
import type { PaymentsSubject } from '../payments/payments-subject.js';
import { deleteAccount, requestId, STORE_ALICE, STORE_NOON, StoreDriver } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

function daysLater(days: number): Instant {
  return later(STORE_NOON, days * MILLISECONDS_PER_DAY);
}

const SEVERAL = 520;

export function creditsContract(name: string, make: () => Promise<PaymentsSubject>): void {
  describe(`credits contract: ${name}`, () => {
    let subject: PaymentsSubject;
    let driver: StoreDriver;

    beforeEach(async () => {
      subject = await make();
      driver = await StoreDriver.start(() => subject.store);
    });
    afterEach(async () => {
      const { differences } = await subject.store.ledgerAudit.verify();
      await subject.close?.();
      expect(differences).toEqual([]);
    });

    function topUp(amount: string, reference: string, expiresAt: Instant | null): MoneyAct {
      return { kind: 'top-up', accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference, reason: null, actor: SYSTEM_ACTOR, at: STORE_NOON, expiresAt };
    }

    async function credit(amount: string, reference: string, days: number | null): Promise<void> {
      const { outcome } = await subject.store.ledger.book(topUp(amount, reference, days === null ? null : daysLater(days)));
      expect(outcome).toBe('booked');
    }

    async function refund(amount: string, at: Instant): Promise<void> {
      const { outcome } = await subject.store.ledger.book({
        kind: 'refund', accountId: STORE_ALICE, amount: ServiceTokens.parse(amount), reference: `refund of ${amount}`, reason: null, actor: SYSTEM_ACTOR, at, requestId: requestId(1),
      });
      expect(outcome).toBe('booked');
    }

    /** Lets both gateways process due credits. */
    async function run(at: Instant): Promise<void> {
      const credits = [subject.store.credits, subject.other.credits];
      await Promise.all(credits.map(async (records) => {
        for (const id of await records.due(at, 10)) await records.expire(id, at);
      }));
    }

    /** The credits as `reference:left`, beginning with the next to expire. */
    async function left(): Promise<readonly string[]> {
      return (await subject.other.credits.list(STORE_ALICE)).map(({ reference, left: rest }) => `${reference ?? '-'}:${rest.toString()}`);
    }

    async function eventsOf(type: string): Promise<readonly unknown[]> {
      return (await readAll(subject.store.events, { accountId: STORE_ALICE })).filter((event) => event.type === type).map(({ data }) => data);
    }

    /** The amounts of the expiries that were booked, in the order of booking. */
    async function expiries(): Promise<readonly string[]> {
      const booked = (await eventsOf('balance.booked')) as readonly { readonly kind: string; readonly amount: string }[];
      return booked.filter(({ kind }) => kind === 'expiry').map(({ amount }) => amount);
    }

    it('debits the unused part of an expired credit once, even if two gateways do so concurrently', async () => {
      await credit('5', 'first', 30);
      await credit('7', 'second', 60);
      await credit('9', 'third', null);
      await driver.serve(1, anEnding(2));
      expect(await left()).toEqual(['first:3', 'second:7', 'third:9']);
      await run(daysLater(29));
      expect([await left(), await expiries()]).toEqual([['first:3', 'second:7', 'third:9'], []]);
      await Promise.all([run(daysLater(31)), run(daysLater(31))]);
      expect([await left(), await expiries(), await driver.balance()]).toEqual([['second:7', 'third:9'], ['-3'], '16/0/16']);
      await run(daysLater(400));
      expect([await left(), await expiries()]).toEqual([['third:9'], ['-3', '-7']]);
      expect(await subject.store.credits.due(daysLater(4000), 10)).toEqual([]);
      expect(await eventsOf('balance.booked')).toHaveLength(5);
    });

    it('debits only the available part of an expired credit; the part held for a request follows once the request ends', async () => {
      await credit('10', 'first', 30);
      await driver.reserve(1, '6');
      await run(daysLater(31));
      expect([await driver.balance(), await left()]).toEqual(['6/6/0', ['first:6']]);
      await run(daysLater(32));
      expect(await expiries()).toEqual(['-4']);
      await driver.settle(1, anEnding(1, { endedAt: daysLater(32) }));
      await run(later(daysLater(32), MILLISECONDS_PER_HOUR));
      expect([await driver.balance(), await expiries()]).toEqual(['0/0/0', ['-4', '-5']]);
    });

    it('adds a refund to the credit that paid unless that has expired; otherwise the refund does not expire', async () => {
      await credit('10', 'first', 30);
      await run(STORE_NOON);
      await driver.serve(1, anEnding(4));
      await refund('1', daysLater(1));
      await run(daysLater(1));
      expect(await left()).toEqual(['first:7']);
      await run(daysLater(31));
      await refund('3', daysLater(32));
      await run(daysLater(500));
      expect([await left(), await expiries()]).toEqual([['-:3'], ['-7']]);
    });

    it('lets the refunded part of a used-up credit expire', async () => {
      await credit('4', 'first', 30);
      await driver.serve(1, anEnding(4));
      await run(STORE_NOON);
      expect(await subject.store.credits.due(daysLater(4000), 10)).toEqual([]);
      await refund('4', daysLater(1));
      for (const day of [1, 31]) await run(daysLater(day));
      expect([await left(), await expiries()]).toEqual([[], ['-4']]);
    });

    it('stores one event 14 days and one 3 days before a credit expires, and only the latter if both are due', async () => {
      await credit('5', 'first', 30);
      await credit('6', 'second', 10);
      await credit('7', 'third', 2);
      for (const day of [0, 0, 1, 16, 16, 20, 27, 28, 29]) await run(daysLater(day));
      const told = (await eventsOf('credit.expiring')) as readonly { readonly svc_tokens: string; readonly days: number }[];
      expect(told.map((event) => `${event.svc_tokens} in ${event.days}`)).toEqual(['7 in 3', '6 in 14', '5 in 14', '5 in 3']);
      expect(told[0]).toMatchObject({ expires_at: '2026-11-20T12:00:00.000Z' });
    });

    it('refuses a used reference for a credit that expires at another time', async () => {
      await credit('5', 'first', 30);
      const book = async (expiresAt: Instant | null) => (await subject.store.ledger.book(topUp('5', 'first', expiresAt))).outcome;
      expect([await book(daysLater(30)), await book(daysLater(31)), await book(null)]).toEqual(['repeated', 'reference-used-otherwise', 'reference-used-otherwise']);
    });

    it('derives what is left of a credit from a snapshot, even if a request from before the snapshot is refunded', async () => {
      await credit('1000', 'first', 30);
      for (let number = 1; number <= SEVERAL; number += 1) await driver.serve(number, anEnding(1, { endedAt: later(STORE_NOON, number) }));
      expect(await left()).toEqual(['first:480']);
      await driver.serve(SEVERAL + 1, anEnding(10, { endedAt: daysLater(10) }));
      expect(await left()).toEqual(['first:470']);
      await refund('1', daysLater(11));
      await driver.serve(SEVERAL + 2, anEnding(1, { endedAt: daysLater(1) }));
      expect(await left()).toEqual(['first:470']);
      await run(daysLater(31));
      expect([await left(), await expiries()]).toEqual([[], ['-470']]);
    });

    it('books no expiry on a deleted account', async () => {
      await credit('5', 'first', 30);
      await deleteAccount(subject.store, STORE_ALICE);
      await run(daysLater(31));
      expect([await expiries(), await subject.store.credits.due(daysLater(4000), 10)]).toEqual([[], []]);
    });
  });
}
