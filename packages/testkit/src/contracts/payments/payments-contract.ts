import {
  type AccountId, type AuditedBy, type Clock, type Instant, later, MAX_BALANCE, MAX_PROVIDER_REQUEST_MILLISECONDS, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, NO_AUDIT_FILTERS, type Payment, PaymentDesk, type PaymentId, type PaymentProvider,
  PaymentProviderFailure, type PaymentRecords, type PaymentRefundId, parseTokenRate, reportOf, ServiceTokens, SimulatedPayments, SYSTEM_ACTOR,
} from '@tollgate/core';
import { anAccount, anEnding } from '../../builders/builders.js';
import { readAll } from '../events/events-subject.js';
import { changeStanding, deleteAccount, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';
import type { PaymentsSubject } from './payments-subject.js';
import { ScriptedPayments } from './scripted-payments.js';

const BY: AuditedBy = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const CATALOGUE = {
  usdPerServiceToken: parseTokenRate('0.1'),
  creditOffer: {
    packages: [{ id: 'small', name: 'Small', amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO },
      { id: 'month', name: 'Month', amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO, creditExpiresAfterDays: 30 }],
    custom: { currency: 'JPY', min: 100n, max: 5000n, rate: parseTokenRate('0.5') },
  },
};

/** Tests what every database guarantees about payments. */
export function paymentsContract(name: string, make: () => Promise<PaymentsSubject>): void {
  describe(`payments contract: ${name}`, () => {
    let subject: PaymentsSubject;
    let provider: ScriptedPayments;
    let now: Instant;
    let ids: number;
    let desk: PaymentDesk;
    let elsewhere: PaymentDesk;
    let driver: StoreDriver;

    beforeEach(async () => {
      subject = await make();
      provider = new ScriptedPayments();
      now = STORE_NOON;
      ids = 0;
      desk = deskOver(subject.store.payments);
      elsewhere = deskOver(subject.other.payments);
      driver = await StoreDriver.start(() => subject.store);
    });
    afterEach(() => subject.close?.());

    function deskOver(records: PaymentRecords, of: PaymentProvider | null = provider, suspendsOnDispute = false): PaymentDesk {
      return new PaymentDesk({
        records, provider: of, clock: { now: () => now } as Clock, accounts: subject.store.accounts, suspendsOnDispute,
        catalogue: { current: () => CATALOGUE } as never,
        ids: { paymentId: () => `pay_${(ids += 1)}` as PaymentId, paymentRefundId: () => `refund_${(ids += 1)}` as PaymentRefundId },
      });
    }

    function start(accountId: AccountId = STORE_ALICE, over = desk): Promise<Payment> {
      return over.start({ accountId, choice: { packageId: 'small' }, saveMethod: false, returnUrlOf: (id) => `https://a.test/${id}`, cancelUrl: 'https://a.test' }, { ...BY, at: now });
    }

    async function paid(): Promise<Payment> {
      const payment = await start();
      provider.report(payment.reference ?? '', { status: 'paid' });
      return desk.check(payment);
    }

    async function events(): Promise<readonly string[]> {
      const all = await readAll(subject.store.events, { accountId: STORE_ALICE });
      return all.map(({ type, data }) => (type === 'balance.booked' ? ['kind', 'amount', 'reference'].map((field) => JSON.stringify(data[field]).slice(1, -1)).join(' ') : type)).filter((type) => !/^(account|balance)\./.test(type));
    }

    async function soundBooks(): Promise<void> {
      expect((await subject.store.ledgerAudit.verify()).differences).toEqual([]);
    }

    it('books a payment once, however often and on whichever gateway it is checked', async () => {
      const payment = await start();
      expect(payment).toMatchObject({ state: 'open', amount: 1000n, currency: 'USD', reference: 'ref_pay_1', url: 'https://pay.example.test/ref_pay_1' });
      expect(await desk.check(payment)).toMatchObject({ state: 'open', bookedAt: null });
      provider.report('ref_pay_1', { status: 'paid', invoiceUrl: 'https://pay.example.test/invoice' });
      const after = await Promise.all(Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? desk : elsewhere).check(payment)));
      expect(after.map(({ state }) => state)).toEqual(after.map(() => 'paid'));
      expect(await driver.balance()).toBe('100/0/100');
      expect(await events()).toEqual(['payment.opened', 'payment 100 scripted:pay_1', 'payment.paid']);
      expect((await desk.find(payment.id))?.payment).toMatchObject({ bookedAt: now, customer: 'cus_1', invoiceUrl: 'https://pay.example.test/invoice', url: null });
      expect(await subject.store.payments.customerOf(STORE_ALICE, 'scripted')).toBe('cus_1');
      await soundBooks();
    });

    it('books a payment as an expiring credit if its package states a lifetime', async () => {
      const payment = await desk.start({ accountId: STORE_ALICE, choice: { packageId: 'month' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, BY);
      provider.report(payment.reference ?? '', { status: 'paid' });
      now = later(now, MILLISECONDS_PER_DAY);
      await desk.check(payment);
      expect(await subject.store.credits.list(STORE_ALICE)).toMatchObject([{ reference: 'scripted:pay_1', expiresAt: later(now, 30 * MILLISECONDS_PER_DAY) }]);
      await soundBooks();
    });

    it('deducts for a refund only those tokens of the payment that have not expired', async () => {
      const payment = await desk.start({ accountId: STORE_ALICE, choice: { packageId: 'month' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, BY);
      provider.report(payment.reference ?? '', { status: 'paid' });
      await desk.check(payment);
      await driver.serve(1, anEnding(10));
      await driver.credit('200');
      now = later(now, 31 * MILLISECONDS_PER_DAY);
      expect(await subject.store.credits.expire(STORE_ALICE, now)).toBe('done');
      expect(await driver.balance()).toBe('200/0/200');
      provider.report(payment.reference ?? '', { refunds: [{ id: 'a', amount: 1000n }] });
      expect(await desk.check(payment)).toMatchObject({ state: 'refunded', uncovered: ServiceTokens.ZERO });
      expect(await driver.balance()).toBe('190/0/190');
      await soundBooks();
    });

    it('records every step of a payment in the audit log', async () => {
      await paid();
      const { records } = await subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 10, cursor: null }) ?? { records: [] };
      expect(records.map(({ action, subject: of }) => `${action} ${of}`).toReversed().slice(1)).toEqual(['payment.opened pay_1', 'account.payment acct_alice', 'payment.paid pay_1']);
    });

    it('books a late payment of an expired checkout, but no payment of a different amount', async () => {
      const [late, wrong] = [await start(), await start()];
      provider.report('ref_pay_1', { status: 'expired' });
      expect(await desk.check(late)).toMatchObject({ state: 'expired' });
      provider.report('ref_pay_1', { status: 'paid' });
      expect(await desk.check(late)).toMatchObject({ state: 'paid' });
      provider.report('ref_pay_2', { status: 'paid', amount: 999n });
      for (const _ of [1, 2]) expect(await desk.check(wrong)).toMatchObject({ state: 'unbookable', problem: 'wrong-amount', bookedAt: null });
      expect(await driver.balance()).toBe('100/0/100');
      expect(await subject.store.payments.counts()).toEqual({ open: 0, unbookable: 1, uncovered: 0 });
    });

    it('deducts each refund once, up to the available balance, and reports the rest as uncovered', async () => {
      const payment = await paid();
      await driver.serve(1, anEnding(70));
      const refunds = [{ id: 'a', amount: 200n }, { id: 'b', amount: 400n }];
      provider.report('ref_pay_1', { refunds });
      await Promise.all([desk.check(payment), elsewhere.check(payment)]);
      expect(await driver.balance()).toBe('0/0/0');
      expect(await desk.find(payment.id)).toMatchObject({
        payment: { state: 'partly-refunded', refunded: 600n, uncovered: ServiceTokens.parse('30') },
        adjustments: [{ id: 'a', claimed: ServiceTokens.parse('20'), uncovered: ServiceTokens.ZERO }, { id: 'b', claimed: ServiceTokens.parse('40'), uncovered: ServiceTokens.parse('30') }],
      });
      await driver.credit('50');
      expect(await desk.check(payment)).toMatchObject({ uncovered: ServiceTokens.parse('30') });
      expect(await driver.balance()).toBe('50/0/50');
      expect((await desk.list({ accountId: null, state: null, provider: null, start: null, end: null, isUncovered: true, limit: 5, after: null })).payments.map(({ id }) => id)).toEqual(['pay_1']);
      await soundBooks();
    });

    it('returns once what a failed refund deducted, with event and audit entry, and permits another refund', async () => {
      const payment = await paid();
      await driver.serve(1, anEnding(70));
      expect(await desk.refund({ id: payment.id, amount: null, reason: 'r' }, BY)).toMatchObject({ state: 'refunded', uncovered: ServiceTokens.parse('70') });
      expect(await driver.balance()).toBe('0/0/0');
      provider.report('ref_pay_1', { refunds: [], failedRefunds: ['re_refund_2'] });
      await Promise.all([desk.check(payment), elsewhere.check(payment)]);
      await subject.store.payments.apply(payment.id, { ...provider.reportOf('ref_pay_1'), refunds: [{ id: 're_refund_2', amount: 1000n }], failedRefunds: [] }, { at: now, suspends: false });
      expect(await desk.check(payment)).toMatchObject({ state: 'paid', refunded: 0n, uncovered: ServiceTokens.ZERO });
      expect(await driver.balance()).toBe('30/0/30');
      expect(await desk.find(payment.id)).toMatchObject({ adjustments: [{ kind: 'refund', status: 'failed', uncovered: ServiceTokens.ZERO }], requestedRefunds: [{ state: 'refused' }] });
      expect((await events()).slice(3)).toEqual(['payment-refund -30 scripted:pay_1:refund:re_refund_2', 'payment.refunded', 'payment-refund 30 scripted:pay_1:refund:re_refund_2:failed', 'payment.refund_failed']);
      const { records } = await subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 2, cursor: null }) ?? { records: [] };
      expect(records.map(({ action }) => action)).toEqual(['payment.refund-failed', 'account.payment-refund']);
      await soundBooks();
      expect(await desk.refund({ id: payment.id, amount: '3', reason: 'again' }, BY)).toMatchObject({ state: 'partly-refunded', refunded: 300n });
      expect(await driver.balance()).toBe('0/0/0');
      await soundBooks();
    });

    it('permits a refund again if the previous one failed before it was completed', async () => {
      const payment = await paid();
      await desk.refund({ id: payment.id, amount: null, reason: 'r' }, BY);
      const other = await start();
      provider.report('ref_pay_3', { status: 'paid' });
      await desk.check(other);
      await subject.store.payments.requestRefund({ id: 'refund_x' as PaymentRefundId, paymentId: other.id, amount: null, reason: 'r' }, BY);
      await subject.store.payments.refundAnswered('refund_x' as PaymentRefundId, { state: 'accepted', reference: 're_x' });
      await expect(desk.refund({ id: other.id, amount: null, reason: 'r' }, BY)).rejects.toMatchObject({ code: 'conflict' });
      provider.report('ref_pay_3', { failedRefunds: ['re_x'] });
      expect(await desk.check(other)).toMatchObject({ state: 'paid' });
      expect(await desk.refund({ id: other.id, amount: null, reason: 'r' }, BY)).toMatchObject({ state: 'refunded' });
    });

    it('does not return the tokens of a failed refund to a deleted account', async () => {
      const payment = await paid();
      provider.report('ref_pay_1', { refunds: [{ id: 'a', amount: 1000n }] });
      await desk.check(payment);
      await deleteAccount(subject.store, STORE_ALICE);
      provider.report('ref_pay_1', { refunds: [], failedRefunds: ['a'] });
      expect(await desk.check(payment)).toMatchObject({ state: 'paid', refunded: 0n });
      await soundBooks();
    });

    it('deducts a disputed amount, and returns what it deducted when the dispute is won', async () => {
      const payment = await paid();
      await driver.serve(1, anEnding(10));
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'open' }] });
      expect(await desk.check(payment)).toMatchObject({ state: 'disputed', uncovered: ServiceTokens.parse('10') });
      expect(await driver.balance()).toBe('0/0/0');
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'won' }] });
      for (const _ of [1, 2]) expect(await desk.check(payment)).toMatchObject({ state: 'dispute-won', uncovered: ServiceTokens.ZERO });
      expect(await driver.balance()).toBe('90/0/90');
      expect((await events()).slice(3)).toEqual(['dispute -90 scripted:pay_1:dispute:d', 'payment.disputed', 'dispute 90 scripted:pay_1:dispute:d:won', 'payment.dispute_won']);
      await soundBooks();
    });

    it('returns what a won dispute deducted only once the balance has room for it below its maximum', async () => {
      const [payment, other] = [await paid(), await start(STORE_BOB)];
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'open' }] });
      await desk.check(payment);
      await driver.credit(MAX_BALANCE.toString());
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'won' }] });
      provider.report('ref_pay_2', { status: 'paid' });
      now = later(now, MILLISECONDS_PER_DAY);
      expect(await desk.reconcile(10)).toBe(2);
      expect((await desk.find(payment.id))?.payment).toMatchObject({ state: 'disputed', problem: 'maximum-balance' });
      expect((await desk.find(other.id))?.payment).toMatchObject({ state: 'paid' });
      await driver.serve(1, anEnding(100));
      now = later(now, 400 * MILLISECONDS_PER_DAY);
      expect(await desk.reconcile(10)).toBeGreaterThan(0);
      expect((await desk.find(payment.id))?.payment).toMatchObject({ state: 'dispute-won', problem: null });
      expect(await driver.balance()).toBe(`${MAX_BALANCE.toString()}/0/${MAX_BALANCE.toString()}`);
      await soundBooks();
    });

    it('suspends the account of a disputed payment if the setting demands it', async () => {
      const payment = await paid();
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'open' }] });
      await deskOver(subject.store.payments, provider, true).check(payment);
      expect(await subject.store.accounts.findById(STORE_ALICE)).toMatchObject({ status: 'suspended' });
      expect(await subject.store.accounts.suspensionReason(STORE_ALICE)).toBe('A payment of this account was disputed.');
    });

    it('records a dispute that is first reported as won, and neither suspends the account nor deducts anything', async () => {
      const payment = await paid();
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'won' }] });
      const suspending = deskOver(subject.store.payments, provider, true);
      for (const _ of [1, 2]) expect(await suspending.check(payment)).toMatchObject({ state: 'dispute-won' });
      expect(await subject.store.accounts.findById(STORE_ALICE)).toMatchObject({ status: 'active' });
      expect((await events()).slice(3)).toEqual(['payment.dispute_won']);
      expect((await desk.find(payment.id))?.adjustments).toMatchObject([{ kind: 'dispute', id: 'd', amount: 1000n, status: 'won', claimed: ServiceTokens.ZERO }]);
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'open' }] });
      expect(await suspending.check(payment)).toMatchObject({ state: 'dispute-won' });
      expect(await driver.balance()).toBe('100/0/100');
      await soundBooks();
    });

    it('suspends the account once if the first report of a dispute says that it was lost', async () => {
      const payment = await paid();
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'lost' }] });
      const suspending = deskOver(subject.store.payments, provider, true);
      expect(await suspending.check(payment)).toMatchObject({ state: 'dispute-lost' });
      expect(await subject.store.accounts.findById(STORE_ALICE)).toMatchObject({ status: 'suspended' });
      await changeStanding(subject.store.accounts, STORE_ALICE, { status: 'active' }, BY);
      await suspending.check(payment);
      expect(await subject.store.accounts.findById(STORE_ALICE)).toMatchObject({ status: 'active' });
    });

    it('deducts each of several disputes once, but together at most the tokens of the payment', async () => {
      const payment = await paid();
      await driver.credit('50');
      const disputes = [{ id: 'd1', amount: 700n, status: 'open' }, { id: 'd2', amount: 700n, status: 'open' }] as const;
      provider.report('ref_pay_1', { disputes });
      await Promise.all([desk.check(payment), elsewhere.check(payment)]);
      expect(await driver.balance()).toBe('50/0/50');
      provider.report('ref_pay_1', { disputes: [{ ...disputes[0], status: 'won' }, { ...disputes[1], status: 'lost' }] });
      await Promise.all([desk.check(payment), elsewhere.check(payment)]);
      expect((await desk.find(payment.id))?.payment).toMatchObject({ state: 'dispute-lost' });
      expect(await driver.balance()).toBe('120/0/120');
      await soundBooks();
    });

    it('ignores a late report of an earlier state', async () => {
      const payment = await paid();
      const before = provider.reportOf('ref_pay_1');
      provider.report('ref_pay_1', { refunds: [{ id: 'a', amount: 1000n }] });
      await desk.check(payment);
      for (const status of ['open', 'failed', 'expired', 'paid'] as const) {
        expect(await subject.store.payments.apply(payment.id, { ...before, status }, { at: now, suspends: false })).toMatchObject({ state: 'refunded' });
      }
      expect(await driver.balance()).toBe('0/0/0');
    });

    it('asks the provider once for a refund of a part or of the whole rest, and books what the provider then reports', async () => {
      const payment = await paid();
      expect(await desk.refund({ id: payment.id, amount: '4', reason: 'a gift' }, BY)).toMatchObject({ state: 'partly-refunded', refunded: 400n });
      await expect(desk.refund({ id: payment.id, amount: '6.01', reason: 'more' }, BY)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/^At most 6\.00 USD/) });
      expect(await desk.refund({ id: payment.id, amount: null, reason: 'all' }, BY)).toMatchObject({ state: 'refunded', refunded: 1000n });
      await expect(desk.refund({ id: payment.id, amount: null, reason: 'again' }, BY)).rejects.toMatchObject({ code: 'conflict' });
      expect(provider.refundRequests).toHaveLength(2);
      expect(await driver.balance()).toBe('0/0/0');
    });

    it('lets concurrent refunds together request at most the paid amount', async () => {
      const payment = await paid();
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, number) => (number % 2 === 0 ? desk : elsewhere).refund({ id: payment.id, amount: '4', reason: 'r' }, BY)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect(provider.reportOf('ref_pay_1').refunds).toHaveLength(2);
    });

    it('requests a refund again, with the same id, if the provider did not answer', async () => {
      const payment = await paid();
      provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
      expect(await desk.refund({ id: payment.id, amount: null, reason: 'r' }, BY)).toMatchObject({ state: 'paid' });
      await expect(desk.refund({ id: payment.id, amount: '1', reason: 'r' }, BY)).rejects.toMatchObject({ code: 'conflict' });
      provider.failure = null;
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      await elsewhere.reconcile(10);
      expect(new Set(provider.refundRequests)).toEqual(new Set(['refund_2']));
      expect((await desk.find(payment.id))?.payment).toMatchObject({ state: 'refunded' });
    });

    it.each(['unavailable', 'refused', 'misconfigured'] as const)('keeps a refund that the provider accepted, even if asking about the payment then fails (%s)', async (problem) => {
      const payment = await paid();
      provider.askFailure = new PaymentProviderFailure(problem, 'no answer');
      expect(await desk.refund({ id: payment.id, amount: '4', reason: 'r' }, BY)).toMatchObject({ state: 'paid', refunded: 0n });
      expect(await desk.find(payment.id)).toMatchObject({ requestedRefunds: [{ state: 'accepted', reference: 're_refund_2' }] });
      await expect(desk.refund({ id: payment.id, amount: '6.01', reason: 'r' }, BY)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/^At most 6\.00 USD/) });
      provider.askFailure = null;
      expect(await desk.check(payment)).toMatchObject({ state: 'partly-refunded', refunded: 400n });
      expect(provider.refundRequests).toEqual(['refund_2']);
    });

    it('asks about an old payment until the refund that an operator requested is reported', async () => {
      const payment = await paid();
      now = later(now, 300 * MILLISECONDS_PER_DAY);
      while (await desk.reconcile(10) > 0);
      await subject.store.payments.requestRefund({ id: 'refund_x' as PaymentRefundId, paymentId: payment.id, amount: 400n, reason: 'r' }, { ...BY, at: now });
      await subject.store.payments.refundAnswered('refund_x' as PaymentRefundId, { state: 'accepted', reference: 're_x' });
      now = later(now, MILLISECONDS_PER_MINUTE);
      expect([await desk.reconcile(10), await desk.reconcile(10)]).toEqual([1, 0]);
      provider.report('ref_pay_1', { refunds: [{ id: 're_x', amount: 400n }] });
      now = later(now, 7 * MILLISECONDS_PER_DAY);
      expect(await desk.reconcile(10)).toBe(1);
      expect((await desk.find(payment.id))?.payment).toMatchObject({ state: 'partly-refunded' });
      now = later(now, 7 * MILLISECONDS_PER_DAY);
      expect(await desk.reconcile(10)).toBe(0);
    });

    it('asks the provider about an unconfirmed refund before it gives up the request, so that no amount is refunded twice', async () => {
      const payment = await paid();
      provider.refundFailureAfter = new PaymentProviderFailure('unavailable', 'the answer was lost');
      await desk.refund({ id: payment.id, amount: '6', reason: 'r' }, BY);
      now = later(now, 21 * MILLISECONDS_PER_HOUR);
      provider.askFailure = new PaymentProviderFailure('unavailable', 'no answer');
      await expect(desk.reconcile(10)).rejects.toMatchObject({ problem: 'unavailable' });
      expect(await desk.find(payment.id)).toMatchObject({ requestedRefunds: [{ state: 'requested' }] });
      provider.askFailure = null;
      await desk.reconcile(10);
      expect(await desk.find(payment.id)).toMatchObject({ payment: { refunded: 600n }, requestedRefunds: [{ state: 'accepted', reference: 're_refund_2' }] });
      await expect(desk.refund({ id: payment.id, amount: '6', reason: 'r' }, BY)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/^At most 4\.00 USD/) });
      expect(new Set(provider.refundRequests)).toEqual(new Set(['refund_2']));
    });

    it.each(['completed', 'failed'] as const)('keeps waiting for an unconfirmed refund that is pending at the provider until the refund has %s', async (end) => {
      const payment = await paid();
      provider.areRefundsPending = true;
      provider.refundFailureAfter = new PaymentProviderFailure('unavailable', 'the answer was lost');
      await desk.refund({ id: payment.id, amount: null, reason: 'r' }, BY);
      now = later(now, 21 * MILLISECONDS_PER_HOUR);
      await desk.reconcile(10);
      expect(await desk.find(payment.id)).toMatchObject({ payment: { state: 'paid' }, requestedRefunds: [{ state: 'accepted', reference: 're_refund_2' }] });
      await expect(desk.refund({ id: payment.id, amount: '1', reason: 'again' }, BY)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/^At most 0\.00 USD/) });
      provider.report('ref_pay_1', end === 'completed' ? { refunds: [{ id: 're_refund_2', amount: 1000n }] } : { failedRefunds: ['re_refund_2'] });
      now = later(now, 7 * MILLISECONDS_PER_DAY);
      await desk.reconcile(10);
      expect(await desk.find(payment.id)).toMatchObject(end === 'completed'
        ? { payment: { state: 'refunded' }, requestedRefunds: [{ state: 'accepted' }] } : { payment: { state: 'paid' }, requestedRefunds: [{ state: 'refused' }] });
      expect(provider.refundRequests).toEqual(['refund_2']);
    });

    it('gives up an unconfirmed refund that the provider does not know once no request for it can still arrive', async () => {
      const payment = await paid();
      provider.refundFailure = new PaymentProviderFailure('unavailable', 'no answer');
      await desk.refund({ id: payment.id, amount: '6', reason: 'r' }, BY);
      now = later(now, 20 * MILLISECONDS_PER_HOUR + 1);
      await desk.reconcile(10);
      expect(await desk.find(payment.id)).toMatchObject({ requestedRefunds: [{ state: 'requested' }] });
      now = later(now, MAX_PROVIDER_REQUEST_MILLISECONDS);
      await desk.reconcile(10);
      expect(await desk.find(payment.id)).toMatchObject({ requestedRefunds: [{ state: 'refused' }] });
      provider.refundFailure = null;
      expect(await desk.refund({ id: payment.id, amount: '6', reason: 'r' }, { ...BY, at: now })).toMatchObject({ refunded: 600n });
    });

    it('repeats the other refund requests if the provider does not answer one of them', async () => {
      const payment = await paid();
      provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
      for (const amount of ['1', '2', '3']) await desk.refund({ id: payment.id, amount, reason: 'r' }, BY);
      provider.failure = null;
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      provider.unansweredRefunds = ['refund_2'];
      for (let turn = 0; turn < 4; turn += 1) await desk.reconcile(1);
      expect(provider.refundRequests.slice(3)).toEqual(['refund_2', 'refund_3', 'refund_4', 'refund_2']);
    });

    it('lets an operator check a payment again, audits this, and reports a provider that is off, does not answer or refuses', async () => {
      const payment = await start();
      provider.report('ref_pay_1', { status: 'paid' });
      expect(await desk.checkAgain(payment.id, BY)).toMatchObject({ state: 'paid' });
      const { records } = await subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 10, cursor: null }) ?? { records: [] };
      expect(records.map(({ action }) => action).toReversed().slice(1)).toEqual(['payment.opened', 'payment.check-requested', 'account.payment', 'payment.paid']);
      for (const [problem, code, message] of [['unavailable', 'service_unavailable', 'did not answer'], ['misconfigured', 'service_unavailable', 'refused the key or settings'], ['refused', 'conflict', 'refused the request']] as const) {
        provider.failure = new PaymentProviderFailure(problem, 'for operators');
        await expect(desk.checkAgain(payment.id, BY)).rejects.toMatchObject({ code, message: expect.stringMatching(message), cause: provider.failure });
      }
      await expect(deskOver(subject.store.payments, null).checkAgain(payment.id, BY)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/made at scripted, which the gateway no longer uses/) });
      await expect(desk.checkAgain('pay_none' as PaymentId, BY)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('books a payment whose notification was lost, and stops asking about it after 400 days', async () => {
      await start();
      provider.report('ref_pay_1', { status: 'paid' });
      expect(await desk.reconcile(10)).toBe(0);
      now = later(now, MILLISECONDS_PER_MINUTE);
      expect((await Promise.all([desk.reconcile(10), elsewhere.reconcile(10)])).toSorted((one, two) => one - two)).toEqual([0, 1]);
      expect(await driver.balance()).toBe('100/0/100');
      now = later(now, 400 * MILLISECONDS_PER_DAY);
      expect(await desk.reconcile(10)).toBe(1);
      expect(await desk.reconcile(10)).toBe(0);
    });

    it('asks about the other due payments without delay if the provider does not answer about one', async () => {
      for (let number = 0; number < 3; number += 1) await start();
      now = later(now, MILLISECONDS_PER_DAY);
      provider.askFailure = new PaymentProviderFailure('unavailable', 'no answer');
      await expect(desk.reconcile(10)).rejects.toMatchObject({ problem: 'unavailable' });
      provider.askFailure = null;
      expect([await desk.reconcile(1), await elsewhere.reconcile(10), await desk.reconcile(10)]).toEqual([1, 1, 0]);
    });

    it('asks about the other payments although the provider does not know one of the payments', async () => {
      await start();
      await start();
      provider.reports.delete('ref_pay_1');
      provider.report('ref_pay_2', { status: 'paid' });
      now = later(now, MILLISECONDS_PER_MINUTE);
      await desk.reconcile(10);
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('books the other payments although the report about one of the payments cannot be booked', async () => {
      await start();
      await start();
      for (const reference of ['ref_pay_1', 'ref_pay_2']) provider.report(reference, { status: 'paid' });
      now = later(now, MILLISECONDS_PER_MINUTE);
      const { payments } = subject.store;
      const apply: PaymentRecords['apply'] = (id, ...report) => (id === 'pay_1' ? Promise.reject(new RangeError('one row is unreadable')) : payments.apply(id, ...report));
      await expect(deskOver(Object.assign(Object.create(payments) as PaymentRecords, { apply })).reconcile(10)).rejects.toThrow('one row is unreadable');
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('books the other payments although the provider refuses a repeated refund request', async () => {
      const [payment, other] = [await paid(), await start()];
      provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
      await desk.refund({ id: payment.id, amount: null, reason: 'r' }, BY);
      provider.failure = null;
      provider.report(other.reference ?? '', { status: 'paid' });
      provider.refundFailure = new PaymentProviderFailure('refused', 'not today');
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      await desk.reconcile(10);
      expect((await desk.find(other.id))?.payment).toMatchObject({ state: 'paid' });
      expect(await desk.find(payment.id)).toMatchObject({ payment: { state: 'paid' }, requestedRefunds: [{ state: 'refused' }] });
      await expect(desk.refund({ id: payment.id, amount: null, reason: 'r' }, BY)).rejects.toMatchObject({ code: 'conflict', message: 'The provider refused the refund.' });
    });

    it('refuses a forged notification, and checks the payment that a signed one names', async () => {
      await start();
      provider.report('ref_pay_1', { status: 'paid' });
      await expect(desk.notified(Buffer.from('forged ref_pay_1'), () => null)).rejects.toMatchObject({ problem: 'invalid-notification' });
      expect(await driver.balance()).toBe('0/0/0');
      for (const _ of [1, 2]) await desk.notified(Buffer.from('signed ref_other ref_pay_1'), () => null);
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('expires a checkout if the provider did not answer the request to create it', async () => {
      provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
      await expect(start()).rejects.toMatchObject({ code: 'service_unavailable' });
      provider.failure = null;
      now = later(now, MILLISECONDS_PER_HOUR);
      await desk.reconcile(10);
      expect((await desk.find('pay_1' as PaymentId))?.payment).toMatchObject({ state: 'expired', reference: null });
    });

    it('deletes an account without waiting for a checkout that the provider did not confirm', async () => {
      provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
      await expect(start()).rejects.toMatchObject({ code: 'service_unavailable' });
      await deleteAccount(subject.store, STORE_ALICE);
      expect(await subject.store.accounts.findById(STORE_ALICE)).toMatchObject({ status: 'deleted' });
    });

    it('tells the customer to choose another amount if the provider refuses the amount of a checkout', async () => {
      provider.failure = new PaymentProviderFailure('refused', 'too little');
      await expect(start()).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/choose another amount/) });
    });

    it('lets an account start at most twenty payments within an hour', async () => {
      for (let number = 0; number < 20; number += 1) await start();
      await expect(start()).rejects.toMatchObject({ code: 'too_many_attempts' });
      await start(STORE_BOB);
      now = later(now, MILLISECONDS_PER_HOUR);
      await start();
    });

    it('lists payments by account and state, newest first, page by page', async () => {
      for (const accountId of [STORE_ALICE, STORE_BOB, STORE_ALICE]) {
        now = later(now, 1);
        await start(accountId);
      }
      const all = { accountId: null, state: null, provider: null, start: null, end: null, isUncovered: false, limit: 2, after: null };
      const first = await desk.list(all);
      expect(first.payments.map(({ id }) => id)).toEqual(['pay_3', 'pay_2']);
      expect((await desk.list({ ...all, after: first.next })).payments.map(({ id }) => id)).toEqual(['pay_1']);
      expect((await desk.list({ ...all, accountId: STORE_ALICE })).payments.map(({ id }) => id)).toEqual(['pay_3', 'pay_1']);
      expect((await desk.list({ ...all, state: 'paid' })).payments).toEqual([]);
      const [second, third] = [later(now, -1), now];
      expect((await desk.list({ ...all, start: second, end: third })).payments.map(({ id }) => id)).toEqual(['pay_2']);
      expect((await desk.list({ ...all, start: third })).payments.map(({ id }) => id)).toEqual(['pay_3']);
    });

    it('sells only packages and amounts that the catalogue offers, and nothing without a provider', async () => {
      const custom = (amount: string) => desk.start({ accountId: STORE_ALICE, choice: { amount }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, BY);
      expect(await custom('300')).toMatchObject({ amount: 300n, currency: 'JPY', tokens: ServiceTokens.parse('150'), packageId: null });
      for (const amount of ['99', '5001', '100.5', 'x']) await expect(custom(amount)).rejects.toMatchObject({ code: 'invalid_request', param: 'amount' });
      await expect(desk.start({ accountId: STORE_ALICE, choice: { packageId: 'none' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, BY)).rejects.toMatchObject({ param: 'package' });
      const off = deskOver(subject.store.payments, null);
      expect(off.offer()).toEqual({ packages: [], custom: null });
      await expect(start(STORE_ALICE, off)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('books no payment on an account that was deleted meanwhile, and erases the personal texts of its payments', async () => {
      const [first, payment] = [await paid(), await start()];
      await deleteAccount(subject.store, STORE_ALICE);
      provider.report('ref_pay_2', { status: 'paid' });
      expect(await desk.check(payment)).toMatchObject({ state: 'unbookable', problem: 'account-deleted', customer: null });
      expect((await desk.find(first.id))?.payment).toMatchObject({ state: 'paid', customer: null, invoiceUrl: null });
      provider.report('ref_pay_1', { refunds: [{ id: 'a', amount: 1000n }] });
      expect(await desk.check(first)).toMatchObject({ state: 'refunded', uncovered: ServiceTokens.parse('100') });
      await soundBooks();
    });

    it('refunds in full, once and with an audit entry, a payment that arrives after its account was deleted', async () => {
      const payment = await start();
      await deleteAccount(subject.store, STORE_ALICE);
      provider.report('ref_pay_1', { status: 'paid' });
      await Promise.all([desk.check(payment), elsewhere.check(payment)]);
      await expect(desk.refund({ id: payment.id, amount: '1', reason: 'by hand' }, BY)).rejects.toMatchObject({ code: 'conflict' });
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      await Promise.all([desk.reconcile(10), elsewhere.reconcile(10)]);
      await desk.check(payment);
      expect(await desk.find(payment.id)).toMatchObject({ payment: { state: 'refunded', refunded: 1000n, bookedAt: null }, requestedRefunds: [{ id: 'refund_1', amount: 1000n, state: 'accepted' }] });
      expect(new Set(provider.refundRequests)).toEqual(new Set(['refund_1']));
      const { records } = await subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, action: 'payment.refund-requested', limit: 10, cursor: null }) ?? { records: [] };
      expect(records).toMatchObject([{ actor: { kind: 'system' }, subject: payment.id, details: { refundId: 'refund_1', amount: '1000' } }]);
      await soundBooks();
    });

    it.each([
      ['a part was refunded meanwhile', { refunds: [{ id: 'a', amount: 400n }] }, [600n]],
      ['all was refunded meanwhile', { refunds: [{ id: 'a', amount: 1000n }] }, []],
      ['it is disputed', { disputes: [{ id: 'd', amount: 1000n, status: 'open' }] }, []],
      ['another amount was paid', { amount: 999n }, []],
    ] as const)('refunds no more than what is left and undisputed of a payment to a deleted account if %s', async (_name, report, amounts) => {
      const payment = await start();
      await deleteAccount(subject.store, STORE_ALICE);
      provider.report('ref_pay_1', { status: 'paid', ...report });
      await desk.check(payment);
      expect((await desk.find(payment.id))?.requestedRefunds.map(({ amount }) => amount)).toEqual(amounts);
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      await desk.reconcile(10);
      expect(provider.refundRequests).toHaveLength(amounts.length);
    });

    it('refunds, after the deletion of an account, a payment that exceeded the maximum balance, less what an operator refunds', async () => {
      await driver.credit(MAX_BALANCE.toString());
      const payment = await paid();
      expect(payment).toMatchObject({ state: 'unbookable', problem: 'maximum-balance' });
      provider.areRefundsPending = true;
      await desk.refund({ id: payment.id, amount: '4', reason: 'r' }, BY);
      await deleteAccount(subject.store, STORE_ALICE);
      await desk.check(payment);
      expect((await desk.find(payment.id))?.requestedRefunds.map(({ amount }) => amount).toSorted()).toEqual([400n, 600n]);
    });

    it('refunds, after the deletion of an account, a payment that exceeded the maximum balance, less an earlier refund', async () => {
      await driver.credit(MAX_BALANCE.toString());
      const payment = await paid();
      provider.report('ref_pay_1', { refunds: [{ id: 'a', amount: 400n }] });
      expect(await desk.check(payment)).toMatchObject({ state: 'unbookable', problem: 'maximum-balance', refunded: 400n });
      await deleteAccount(subject.store, STORE_ALICE);
      for (const _ of [1, 2]) await desk.check(payment);
      expect((await desk.find(payment.id))?.requestedRefunds).toMatchObject([{ id: 'refund_1', amount: 600n }]);
    });

    it('refunds a disputed payment that arrives after the deletion of its account only once the dispute is won', async () => {
      const payment = await start();
      await deleteAccount(subject.store, STORE_ALICE);
      provider.report('ref_pay_1', { status: 'paid', disputes: [{ id: 'd', amount: 1000n, status: 'open' }] });
      expect(await desk.check(payment)).toMatchObject({ state: 'disputed' });
      provider.report('ref_pay_1', { disputes: [{ id: 'd', amount: 1000n, status: 'won' }] });
      expect(await desk.check(payment)).toMatchObject({ state: 'unbookable', problem: 'account-deleted' });
      expect((await desk.find(payment.id))?.requestedRefunds).toMatchObject([{ id: 'refund_1', amount: 1000n }]);
      await soundBooks();
    });

    it('requests the refund of a payment to a deleted account only once, although the provider refuses it', async () => {
      const payment = await start();
      await deleteAccount(subject.store, STORE_ALICE);
      provider.report('ref_pay_1', { status: 'paid' });
      provider.refundFailure = new PaymentProviderFailure('refused', 'not today');
      for (let round = 0; round < 3; round += 1) {
        await desk.check(payment);
        now = later(now, 2 * MILLISECONDS_PER_MINUTE);
        await desk.reconcile(10);
      }
      expect(await desk.find(payment.id)).toMatchObject({ payment: { state: 'unbookable' }, requestedRefunds: [{ id: 'refund_1', state: 'refused' }] });
      expect(provider.refundRequests).toEqual(['refund_1']);
    });

    it('books no payment that arrives once the deletion of its account is due, even if the deletion is cancelled afterwards', async () => {
      const [early, late] = [await start(), await start()];
      const standing = (differences: Parameters<typeof changeStanding>[2]) => changeStanding(subject.store.accounts, STORE_ALICE, differences, BY);
      await standing({ status: 'pending-deletion', deletion: { dueAt: later(now, 1), returnsTo: 'active' } });
      for (const reference of ['ref_pay_1', 'ref_pay_2']) provider.report(reference, { status: 'paid' });
      expect(await desk.check(early)).toMatchObject({ state: 'paid' });
      now = later(now, 1);
      expect(await desk.check(late)).toMatchObject({ state: 'unbookable', problem: 'account-deleted', customer: 'cus_1' });
      await standing({ status: 'active', deletion: null });
      expect(await desk.check(late)).toMatchObject({ state: 'unbookable', problem: 'account-deleted' });
      now = later(now, 2 * MILLISECONDS_PER_MINUTE);
      await desk.reconcile(10);
      expect([(await desk.find(late.id))?.payment.state, await driver.balance()]).toEqual(['refunded', '100/0/100']);
      await soundBooks();
    });

    it('simulates payments, with checkouts that several gateways share', async () => {
      await subject.store.accounts.create(anAccount({ id: 'acct_carol' as AccountId, email: 'carol@example.test' }), SYSTEM_ACTOR);
      const simulated = [subject.store, subject.other].map(({ simulatedCheckouts: checkouts }) => new SimulatedPayments({ checkouts, clock: { now: () => now } as Clock, pageOf: (reference) => `https://a.test/${reference}` }));
      const [here, there] = simulated as [SimulatedPayments, SimulatedPayments];
      const over = deskOver(subject.store.payments, here);
      const payment = await start(STORE_ALICE, over);
      expect(payment.url).toBe('https://a.test/sim_pay_1');
      expect(await there.act('sim_pay_1', 'pay', STORE_BOB)).toBeNull();
      const late = await there.act('sim_pay_1', 'pay-late', STORE_ALICE);
      expect(late === null ? null : reportOf(late, now).status).toBe('open');
      now = later(now, MILLISECONDS_PER_MINUTE);
      expect(await over.look(payment.id)).toMatchObject({ payment: { state: 'paid' } });
      await there.act('sim_pay_1', 'dispute', STORE_ALICE);
      expect(await over.check(payment)).toMatchObject({ state: 'disputed' });
      await there.act('sim_pay_1', 'lose-dispute', STORE_ALICE);
      expect(await over.check(payment)).toMatchObject({ state: 'dispute-lost' });
      const second = await start(STORE_ALICE, over);
      await here.act('sim_pay_2', 'decline', STORE_ALICE);
      expect(await here.act('sim_pay_2', 'pay', STORE_ALICE)).toMatchObject({ isDeclined: true, paidAt: null });
      expect(await over.check(second)).toMatchObject({ state: 'failed' });
    });
  });
}
