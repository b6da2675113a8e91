import {
  type AccountEvent, type AuditedBy, AutomaticTopUps, type Clock, type DeletionBegun, type Instant, later, MAX_PROVIDER_REQUEST_MILLISECONDS, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, PaymentDesk, type PaymentId,
  PaymentProviderFailure, type PaymentRecords, type PaymentRefundId, parseTokenRate, REQUEST_OVER_MILLISECONDS, ServiceTokens, SYSTEM_ACTOR, type TopUpChoice, type TopUpOverview, type TopUpRecords,
} from '@tollgate/core';
import { anEnding, requestFacts } from '../../builders/builders.js';
import { readAll } from '../events/events-subject.js';
import { changeStanding, deleteAccount, OWNER, requestId, reservationId, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import type { PaymentsSubject } from './payments-subject.js';
import { ScriptedPayments } from './scripted-payments.js';

const BY: AuditedBy = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const OFFER = { packages: [{ id: 'small', name: 'Small', amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO }], custom: null };
const CHOICE: TopUpChoice = { threshold: ServiceTokens.parse('150'), choice: { packageId: 'small' }, maxPerDay: 5, monthlyAmount: '100' };
const CROWD = 200;

/** Tests what every database guarantees about automatic top-up. Each test uses two gateways. */
export function topUpsContract(name: string, make: () => Promise<PaymentsSubject>): void {
  describe(`Automatic top-up contract: ${name}`, () => {
    let subject: PaymentsSubject;
    let provider: ScriptedPayments;
    let now: Instant;
    let ids: number;
    let offer: typeof OFFER;
    let topUps: AutomaticTopUps;
    let elsewhere: AutomaticTopUps;
    let desk: PaymentDesk;
    let driver: StoreDriver;

    beforeEach(async () => {
      subject = await make();
      provider = new ScriptedPayments();
      [now, ids, offer] = [STORE_NOON, 0, OFFER];
      topUps = topUpsOver(subject.store);
      elsewhere = topUpsOver(subject.other);
      desk = deskOver(subject.store.payments);
      driver = await StoreDriver.start(() => subject.store);
    });
    afterEach(() => subject.close?.());

    function deskOver(records: PaymentRecords): PaymentDesk {
      return new PaymentDesk({
        records, provider, clock: { now: () => now } as Clock, accounts: subject.store.accounts, suspendsOnDispute: false, catalogue: { current: () => ({ creditOffer: offer, usdPerServiceToken: parseTokenRate('0.1') }) } as never,
        ids: { paymentId: () => `pay_${(ids += 1)}` as PaymentId, paymentRefundId: () => `refund_${(ids += 1)}` as PaymentRefundId },
      });
    }

    function topUpsOver({ topUps: records, payments }: { readonly topUps: TopUpRecords; readonly payments: PaymentRecords }): AutomaticTopUps {
      return new AutomaticTopUps({
        records, desk: deskOver(payments), ids: { paymentId: () => `pay_${(ids += 1)}` as PaymentId }, clock: { now: () => now } as Clock, accounts: subject.store.accounts, returnUrlOf: (id) => `https://a.test/${id}`,
      });
    }

    /** Pays for 100 service tokens as the owner. The provider saves the payment method of this payment. */
    async function saveMethod(accountId = STORE_ALICE): Promise<void> {
      const payment = await desk.start({ accountId, choice: { packageId: 'small' }, saveMethod: true, returnUrlOf: (id) => `https://a.test/${id}`, cancelUrl: 'https://a.test' }, { ...BY, at: now });
      provider.report(payment.reference ?? '', { status: 'paid', method: 'pm_1' });
      await desk.check(payment);
    }

    /** Enables top-up with a threshold of 150 at a balance of 200. */
    async function enabled(choice: Partial<TopUpChoice> = {}): Promise<void> {
      await saveMethod();
      await driver.credit('100');
      await topUps.enable(STORE_ALICE, { ...CHOICE, ...choice }, { ...BY, at: now });
    }

    /** Books a request, and then advances the time by a minute. */
    async function spend(...[number, ending]: Parameters<StoreDriver['serve']>): Promise<void> {
      await driver.serve(number, ending);
      now = later(now, MILLISECONDS_PER_MINUTE);
    }

    /** Tries to delete Alice's account, whose deletion is due. */
    async function deletion(): Promise<DeletionBegun> {
      await changeStanding(subject.store.accounts, STORE_ALICE, { status: 'pending-deletion', deletion: { dueAt: now, returnsTo: 'active' } }, { ...BY, at: now });
      const pending = await subject.store.accounts.findById(STORE_ALICE);
      if (pending === null) throw new Error('there is no account');
      return subject.store.erasure.deleteAccount(STORE_ALICE, pending, { ...BY, at: now });
    }

    /** Lets both gateways make charges until none is due. */
    async function work(): Promise<void> {
      while ((await Promise.all([topUps.chargeSome(10), elsewhere.chargeSome(10)])).some((due) => due > 0));
    }

    async function topUp(): Promise<NonNullable<TopUpOverview['topUp']>> {
      const { topUp: found } = await topUps.overview(STORE_ALICE);
      if (found === null) throw new Error('it was never switched on');
      return found;
    }

    async function charges(): Promise<readonly string[]> {
      const { payments } = await subject.store.payments.list({ accountId: STORE_ALICE, state: null, provider: null, isUncovered: false, start: null, end: null, limit: 50, after: null });
      return payments.filter(({ origin }) => origin === 'top-up').map(({ state }) => state).toReversed();
    }

    async function events(): Promise<readonly AccountEvent[]> {
      const all = await readAll(subject.store.events, { accountId: STORE_ALICE });
      return all.filter(({ type }) => type.startsWith('automatic_top_up.'));
    }

    async function soundBooks(): Promise<void> {
      expect((await subject.store.ledgerAudit.verify()).differences).toEqual([]);
    }

    it('charges once when 200 concurrent requests at two gateways find the balance below the threshold', async () => {
      await driver.credit('200');
      await enabled({ threshold: ServiceTokens.parse('250') });
      const settled = Array.from({ length: CROWD }, async (_, number) => {
        const { ledger } = number % 2 === 0 ? subject.store : subject.other;
        await ledger.reserve({
          reservationId: reservationId(number), ownerId: OWNER, amount: ServiceTokens.ZERO, floor: ServiceTokens.ZERO, expiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR), budget: null, purchaseOf: null,
          facts: requestFacts({ requestId: requestId(number), accountId: STORE_ALICE }),
        });
        return ledger.settle({ reservationId: reservationId(number), ending: anEnding(1) });
      });
      await Promise.all(settled);
      expect(await driver.balance()).toBe('200/0/200');
      now = later(now, MILLISECONDS_PER_HOUR);
      await Promise.all([work(), work()]);
      expect(await driver.balance()).toBe('300/0/300');
      expect(await charges()).toEqual(['paid']);
      expect(new Set(provider.chargeRequests).size).toBe(1);
      expect(await topUp()).toMatchObject({ dueAt: null, waitsFor: null, declines: 0 });
      await soundBooks();
    });

    it('is due once a booking has lowered the balance below the threshold, and not before', async () => {
      await enabled();
      await spend(1, anEnding(50));
      expect([(await topUp()).dueAt, await topUps.chargeSome(10)]).toEqual([null, 0]);
      await spend(2, anEnding(1));
      expect((await topUp()).dueAt).not.toBeNull();
    });

    it('is due at once if the balance is below the threshold when top-up is switched on, or after a correction', async () => {
      await enabled({ threshold: ServiceTokens.parse('250') });
      await work();
      expect([await driver.balance(), await charges()]).toEqual(['300/0/300', ['paid']]);
      await subject.store.ledger.book({ accountId: STORE_ALICE, kind: 'correction', direction: 'lower', amount: ServiceTokens.parse('60'), reference: 'fix', reason: 'fix', ...BY, at: now });
      await work();
      expect([await driver.balance(), await charges()]).toEqual(['340/0/340', ['paid', 'paid']]);
    });

    it('makes one charge after the other until the balance is no longer below the threshold', async () => {
      await enabled({ threshold: ServiceTokens.parse('450') });
      await work();
      expect([await driver.balance(), await charges()]).toEqual(['500/0/500', ['paid', 'paid', 'paid']]);
      await soundBooks();
    });

    it('stops at the maximum number of charges per day, and continues the next day', async () => {
      await enabled({ threshold: ServiceTokens.parse('700'), maxPerDay: 2 });
      await work();
      expect(await charges()).toEqual(['paid', 'paid']);
      expect(await topUp()).toMatchObject({ waitsFor: 'daily-charges', dueAt: Date.UTC(2026, 10, 19) });
      now = later(now, MILLISECONDS_PER_DAY);
      await work();
      expect(await charges()).toEqual(['paid', 'paid', 'paid', 'paid']);
    });

    it('never charges more than the monthly maximum', async () => {
      await enabled({ threshold: ServiceTokens.parse('700'), maxPerDay: 24, monthlyAmount: '25' });
      await work();
      expect((await topUps.overview(STORE_ALICE)).charges).toEqual({ today: 2, thisMonth: 2000n });
      expect(await topUp()).toMatchObject({ waitsFor: 'monthly-amount', dueAt: Date.UTC(2026, 11, 1) });
      now = later(now, 12 * MILLISECONDS_PER_DAY);
      await work();
      expect(await charges()).toEqual(['paid', 'paid']);
      now = later(now, MILLISECONDS_PER_DAY);
      await work();
      expect(await charges()).toEqual(['paid', 'paid', 'paid', 'paid']);
    });

    it('waits longer after each decline, and is switched off after the third consecutive one', async () => {
      await enabled();
      provider.chargeOutcome = 'declined';
      await spend(1, anEnding(60));
      await work();
      expect(await topUp()).toMatchObject({ declines: 1, waitsFor: 'declined', dueAt: later(now, MILLISECONDS_PER_HOUR) });
      now = later(now, MILLISECONDS_PER_HOUR);
      await work();
      expect(await topUp()).toMatchObject({ declines: 2, dueAt: later(now, MILLISECONDS_PER_DAY) });
      now = later(now, MILLISECONDS_PER_DAY);
      await work();
      expect(await topUp()).toMatchObject({ isEnabled: false, dueAt: null, stopped: { reason: 'declined', at: now } });
      expect(await charges()).toEqual(['failed', 'failed', 'failed']);
      expect((await events()).map(({ type, data: { declines, reason } }) => [type, declines ?? reason])).toEqual([
        ['automatic_top_up.declined', 1], ['automatic_top_up.declined', 2], ['automatic_top_up.stopped', 'declined'],
      ]);
      await driver.credit('500');
      await spend(2, anEnding(600));
      await work();
      expect(provider.chargeRequests.length).toBe(3);
    });

    it('counts declines from zero again after a paid charge', async () => {
      await enabled();
      provider.chargeOutcome = 'declined';
      await spend(1, anEnding(60));
      await work();
      provider.chargeOutcome = 'paid';
      now = later(now, MILLISECONDS_PER_HOUR);
      await work();
      expect(await topUp()).toMatchObject({ isEnabled: true, declines: 0, dueAt: null });
      expect(await driver.balance()).toBe('240/0/240');
    });

    it('waits for the owner’s authentication, and asks the owner for it once', async () => {
      await enabled();
      provider.chargeOutcome = 'needs-authentication';
      await spend(1, anEnding(60));
      await work();
      expect(await topUp()).toMatchObject({ waitsFor: 'authentication' });
      now = later(now, MILLISECONDS_PER_HOUR);
      await work();
      expect((await events()).map(({ type }) => type)).toEqual(['automatic_top_up.authentication_needed']);
      const { lastCharge } = await topUps.overview(STORE_ALICE);
      // Either gateway may have made the charge; the id that the other one took is not used.
      const reference = `ref_${lastCharge?.id ?? ''}`;
      expect(lastCharge).toMatchObject({ state: 'open', reference, url: `https://pay.example.test/${reference}` });
      provider.report(reference, { status: 'paid' });
      if (lastCharge !== null) await desk.check(lastCharge);
      await work();
      expect([await driver.balance(), await charges(), (await topUp()).dueAt]).toEqual(['240/0/240', ['paid'], null]);
    });

    it('charges once if a gateway is killed after the charge and before its booking', async () => {
      await enabled();
      await spend(1, anEnding(60));
      provider.failureAfterCharge = new Error('killed');
      await expect(topUps.chargeSome(10)).rejects.toThrow('killed');
      provider.failureAfterCharge = null;
      await work();
      expect(await charges()).toEqual(['open']);
      now = later(now, MILLISECONDS_PER_HOUR * 2);
      await desk.reconcile(10);
      await work();
      expect([await driver.balance(), await charges(), provider.chargeRequests]).toEqual(['240/0/240', ['paid'], ['pay_2', 'pay_2']]);
      await soundBooks();
    });

    it('repeats, under the same id, a charge that the provider did not answer, and gives up after 20 hours', async () => {
      await enabled();
      await spend(1, anEnding(60));
      provider.failure = new PaymentProviderFailure('unavailable', 'away');
      await expect(topUps.chargeSome(10)).rejects.toThrow('away');
      expect(await topUps.chargeSome(10)).toBe(0);
      now = later(now, MAX_PROVIDER_REQUEST_MILLISECONDS);
      await expect(elsewhere.chargeSome(10)).rejects.toThrow('away');
      expect(new Set(provider.chargeRequests)).toEqual(new Set(['pay_2']));
      now = later(now, MILLISECONDS_PER_DAY);
      await work();
      expect([await charges(), await topUp()]).toMatchObject([['expired'], { isEnabled: false, stopped: { reason: 'unconfirmed' } }]);
    });

    it('charges an account although the charge of another account that is due earlier always fails', async () => {
      await enabled();
      await saveMethod(STORE_BOB);
      await topUps.enable(STORE_BOB, { ...CHOICE, threshold: ServiceTokens.parse('50') }, { ...BY, at: now });
      await spend(1, anEnding(60));
      await driver.serve(2, anEnding(60), { accountId: STORE_BOB });
      const begin: TopUpRecords['begin'] = (id, attempt) => (id === STORE_ALICE ? Promise.reject(new RangeError('one row is unreadable')) : subject.store.topUps.begin(id, attempt));
      const failing = topUpsOver({ topUps: Object.assign(Object.create(subject.store.topUps) as TopUpRecords, { begin }), payments: subject.store.payments });
      await expect(failing.chargeSome(1)).rejects.toThrow('one row is unreadable');
      expect(await failing.chargeSome(1)).toBe(1);
      await desk.reconcile(10);
      expect([await driver.balance(), await driver.balance(STORE_BOB)]).toEqual(['140/0/140', '140/0/140']);
      await expect(failing.chargeSome(2)).rejects.toThrow('one row is unreadable');
    });

    it('books a charge in progress although top-up was switched off meanwhile, and makes no further charge', async () => {
      await enabled({ threshold: ServiceTokens.parse('450') });
      provider.failureAfterCharge = new Error('killed');
      await expect(topUps.chargeSome(10)).rejects.toThrow('killed');
      provider.failureAfterCharge = null;
      await topUps.disable(STORE_ALICE, { ...BY, at: now });
      now = later(now, MAX_PROVIDER_REQUEST_MILLISECONDS);
      await work();
      expect([await driver.balance(), await charges()]).toEqual(['300/0/300', ['paid']]);
      expect(await topUp()).toMatchObject({ isEnabled: false, stopped: null });
      await spend(1, anEnding(200));
      now = later(now, MILLISECONDS_PER_HOUR);
      await work();
      expect(await charges()).toEqual(['paid']);
    });

    it('books a charge in progress although a refund of another payment has stopped top-up meanwhile', async () => {
      await enabled({ threshold: ServiceTokens.parse('450') });
      provider.failureAfterCharge = new Error('killed');
      await expect(topUps.chargeSome(10)).rejects.toThrow('killed');
      provider.failureAfterCharge = null;
      provider.report('ref_pay_1', { refunds: [{ id: 'r', amount: 1000n }] });
      const refunded = await subject.store.payments.findByReference('scripted', 'ref_pay_1');
      if (refunded !== null) await desk.check(refunded);
      expect([await driver.balance(), await topUp()]).toMatchObject(['100/0/100', { isEnabled: false, stopped: { reason: 'refunded' } }]);
      now = later(now, MAX_PROVIDER_REQUEST_MILLISECONDS);
      await work();
      expect([await driver.balance(), await charges(), await topUp()]).toMatchObject(['200/0/200', ['paid'], { isEnabled: false, stopped: { reason: 'refunded' } }]);
      now = later(now, MILLISECONDS_PER_HOUR);
      await work();
      expect([provider.chargeRequests, (await topUp()).dueAt]).toEqual([['pay_2', 'pay_2'], null]);
      await soundBooks();
    });

    it.each<[string, PaymentProviderFailure | null, Error | null]>([
      ['did not reach', new PaymentProviderFailure('unavailable', 'away'), null],
      ['was made at', null, new Error('killed')],
    ])('makes a due deletion wait for the answer to a charge that %s the provider, and refunds the charge', async (_case, failure, failureAfterCharge) => {
      await enabled({ threshold: ServiceTokens.parse('250') });
      Object.assign(provider, { failure, failureAfterCharge });
      await expect(topUps.chargeSome(10)).rejects.toThrow();
      Object.assign(provider, { failure: null, failureAfterCharge: null });
      expect(await deletion()).toMatchObject({ outcome: 'charge-running' });
      now = later(now, MAX_PROVIDER_REQUEST_MILLISECONDS);
      await work();
      expect([await driver.balance(), await charges()]).toEqual(['200/0/200', ['unbookable']]);
      expect(await deletion()).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('200') });
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      await desk.reconcile(10);
      expect([await charges(), provider.refundRequests, provider.chargeRequests]).toEqual([['refunded'], ['refund_2'], ['pay_2', 'pay_2']]);
      await soundBooks();
    });

    it('lets an account be deleted once its unconfirmed charge is no longer repeated', async () => {
      await enabled({ threshold: ServiceTokens.parse('250') });
      provider.failure = new PaymentProviderFailure('unavailable', 'away');
      await expect(topUps.chargeSome(10)).rejects.toThrow('away');
      now = later(now, REQUEST_OVER_MILLISECONDS - 1);
      expect(await deletion()).toEqual({ outcome: 'charge-running' });
      now = later(now, 1);
      expect(await deletion()).toMatchObject({ outcome: 'deleted' });
    });

    it('refunds a charge that succeeds after the account was deleted', async () => {
      await enabled({ threshold: ServiceTokens.parse('250') });
      provider.chargeOutcome = 'pending';
      await topUps.chargeSome(10);
      expect(await charges()).toEqual(['open']);
      expect(await deletion()).toMatchObject({ outcome: 'deleted', forfeited: ServiceTokens.parse('200') });
      provider.report('ref_pay_2', { status: 'paid' });
      for (let minute = 0; minute < 5; minute += 1) {
        now = later(now, MILLISECONDS_PER_MINUTE);
        await desk.reconcile(10);
        await work();
      }
      expect([await driver.balance(), await charges(), provider.refundRequests, provider.chargeRequests]).toEqual(['0/0/0', ['refunded'], ['refund_2'], ['pay_2']]);
      await soundBooks();
    });

    it('is switched off instead of making a charge that buys less than the owner agreed to, until the owner agrees again', async () => {
      await enabled();
      offer = { ...OFFER, packages: OFFER.packages.map((offered) => ({ ...offered, tokens: ServiceTokens.parse('99') })) };
      await spend(1, anEnding(60));
      await work();
      expect([await charges(), await topUp()]).toMatchObject([[], { isEnabled: false, settings: { tokens: ServiceTokens.parse('100') }, stopped: { reason: 'fewer-tokens' } }]);
      await topUps.enable(STORE_ALICE, CHOICE, { ...BY, at: now });
      await work();
      expect([await charges(), await topUp(), await driver.balance()]).toMatchObject([['paid'], { isEnabled: true, settings: { tokens: ServiceTokens.parse('99') } }, '239/0/239']);
      await soundBooks();
    });

    it('is switched off if the payment method was removed, the price has changed, or a payment was refunded', async () => {
      await enabled();
      provider.chargeOutcome = 'refused';
      await spend(1, anEnding(60));
      await work();
      expect([await charges(), await topUp()]).toMatchObject([['failed'], { isEnabled: false, stopped: { reason: 'no-method' } }]);
      provider.chargeOutcome = 'paid';
      offer = { ...OFFER, packages: OFFER.packages.map((offered) => ({ ...offered, amount: 1001n })) };
      await topUps.enable(STORE_ALICE, { ...CHOICE, choice: { packageId: 'small' } }, { ...BY, at: now });
      offer = OFFER;
      await work();
      expect(await topUp()).toMatchObject({ isEnabled: false, stopped: { reason: 'not-for-sale' } });
      await topUps.enable(STORE_ALICE, CHOICE, { ...BY, at: now });
      await work();
      expect(await driver.balance()).toBe('240/0/240');
      provider.report('ref_pay_1', { refunds: [{ id: 'r', amount: 1000n }] });
      const bought = await subject.store.payments.findByReference('scripted', 'ref_pay_1');
      if (bought !== null) await desk.check(bought);
      await work();
      expect([await driver.balance(), await topUp()]).toMatchObject(['140/0/140', { isEnabled: false, dueAt: null, stopped: { reason: 'refunded' } }]);
      await soundBooks();
    });

    it('needs a saved payment method, and does not charge a suspended or deleted account', async () => {
      await expect(topUps.enable(STORE_ALICE, CHOICE, BY)).rejects.toMatchObject({ code: 'conflict' });
      await enabled();
      await spend(1, anEnding(60));
      await changeStanding(subject.store.accounts, STORE_ALICE, { status: 'suspended' }, BY);
      await work();
      expect(await topUp()).toMatchObject({ isEnabled: true, waitsFor: 'account', dueAt: later(now, MILLISECONDS_PER_HOUR) });
      await deleteAccount(subject.store, STORE_ALICE);
      now = later(now, MILLISECONDS_PER_HOUR);
      await work();
      expect([provider.chargeRequests, await topUp()]).toMatchObject([[], { isEnabled: false, dueAt: null }]);
      await expect(topUps.enable(STORE_ALICE, CHOICE, BY)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('opens the provider’s page of payment methods after the first payment, and reports if the provider has none', async () => {
      await expect(topUps.openPortal(STORE_ALICE, 'https://a.test')).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/no payment at the current provider yet/) });
      await saveMethod();
      expect(await topUps.openPortal(STORE_ALICE, 'https://a.test')).toBe('https://a.test');
      provider.failure = new PaymentProviderFailure('refused', 'no such customer');
      await expect(topUps.openPortal(STORE_ALICE, 'https://a.test')).rejects.toMatchObject({ code: 'conflict', message: 'The payment provider has no page of methods and invoices for this account.' });
      provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
      await expect(topUps.openPortal(STORE_ALICE, 'https://a.test')).rejects.toMatchObject({ code: 'service_unavailable' });
    });

    it('keeps the delay after a decline if the same settings are saved again', async () => {
      await enabled();
      provider.chargeOutcome = 'declined';
      await spend(1, anEnding(60));
      await work();
      await topUps.enable(STORE_ALICE, CHOICE, { ...BY, at: now });
      await work();
      expect([(await topUp()).declines, provider.chargeRequests.length]).toEqual([1, 1]);
    });

    it.each<[string, Partial<TopUpChoice>, string]>([
      ['no threshold', { threshold: ServiceTokens.ZERO }, 'threshold'], ['too little for one charge', { monthlyAmount: '9.99' }, 'monthly_amount'], ['an unknown package', { choice: { packageId: 'none' } }, 'package'],
      ['an amount', { choice: { amount: '5' } }, 'amount'],
    ])('refuses %s and names the field', async (_case, change, param) => {
      await saveMethod();
      await expect(topUps.enable(STORE_ALICE, { ...CHOICE, ...change }, BY)).rejects.toMatchObject({ code: 'invalid_request', param });
    });
  });
}
