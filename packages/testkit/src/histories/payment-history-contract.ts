import {
  type Clock, type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, NO_AUDIT_FILTERS, parseTokenRate, type Payment, PaymentDesk, type PaymentId, PaymentProviderFailure, type PaymentRecords,
  type PaymentRefundId, type ReportedPayment, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { readAll } from '../contracts/events/events-subject.js';
import type { PaymentsSubject } from '../contracts/payments/payments-subject.js';
import { ScriptedPayments } from '../contracts/payments/scripted-payments.js';
import { STORE_ALICE, STORE_NOON, StoreDriver } from '../contracts/store-subject.js';
import { describe, expect, it } from '../contracts/test-runner.js';
import { anEnding } from '../builders/builders.js';

const CATALOGUE = {
  usdPerServiceToken: parseTokenRate('0.1'),
  creditOffer: { packages: [{ id: 'small', name: 'Small', amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO }], custom: null },
};

/** Deterministic: a linear congruential generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The process is killed before or after the transaction, or the database's answer is lost. */
class Killed extends Error {}

const STEPS = 30;

/** One history: payments at two gateways and a provider that pays, refunds and disputes at any time, and repeats, delays and loses what it says of it. */
class PaymentHistory {
  readonly provider = new ScriptedPayments();
  readonly payments: Payment[] = [];
  readonly stale = new Map<string, ReportedPayment[]>();
  now: Instant = STORE_NOON;
  #ids = 0;
  #requests = 0;

  constructor(readonly subject: PaymentsSubject, readonly driver: StoreDriver, readonly random: (below: number) => number) {}

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step();
      expect((await this.driver.balance()).startsWith('-')).toBe(false);
    }
    // The reconciler finds in the end whatever was lost.
    for (let round = 0; round < 3; round += 1) {
      this.now = later(this.now, MILLISECONDS_PER_DAY);
      await this.#desk(0).reconcile(100);
    }
    await this.#compare();
  }

  #desk(kills: number): PaymentDesk {
    const records = this.random(2) === 0 ? this.subject.store.payments : this.subject.other.payments;
    return new PaymentDesk({
      records: kills === 0 ? records : this.#killed(records, kills), provider: this.provider, clock: { now: () => this.now } as Clock, accounts: this.subject.store.accounts, suspendsOnDispute: false,
      catalogue: { current: () => CATALOGUE } as never,
      ids: { paymentId: () => `pay_${(this.#ids += 1)}` as PaymentId, paymentRefundId: () => `refund_${(this.#ids += 1)}` as PaymentRefundId },
    });
  }

  /** One of `kills` changes is interrupted. */
  #killed(records: PaymentRecords, kills: number): PaymentRecords {
    const interrupted = <Result>(change: () => Promise<Result>): Promise<Result> => {
      if (this.random(kills) > 0) return change();
      return this.random(2) === 0 ? Promise.reject(new Killed()) : change().then(() => Promise.reject(new Killed()));
    };
    return new Proxy(records, {
      get: (target, name: keyof PaymentRecords) => {
        const method = (...given: unknown[]) => (target[name] as (...all: unknown[]) => Promise<unknown>).apply(target, given);
        return ['apply', 'started', 'refundAnswered', 'requestRefund'].includes(name) ? (...given: unknown[]) => interrupted(() => method(...given)) : method;
      },
    });
  }

  async #step(): Promise<void> {
    try {
      await this.#act();
    } catch (thrown) {
      const isExpected = thrown instanceof Killed || thrown instanceof PaymentProviderFailure || (thrown as { readonly name?: string }).name === 'GatewayError';
      if (!isExpected) throw thrown;
    }
    this.provider.failure = null;
  }

  async #act(): Promise<void> {
    const payment = this.payments[this.random(Math.max(1, this.payments.length))];
    const action = payment?.reference === undefined || payment.reference === null ? 0 : this.random(9);
    if (action === 0 || payment?.reference === undefined || payment.reference === null) return this.#start();
    const { reference } = payment;
    this.stale.set(reference, [...this.stale.get(reference) ?? [], this.provider.reportOf(reference)]);
    switch (action) {
      case 1: return this.#change(reference);
      case 2: case 3: return this.#change(reference);
      case 4: await Promise.allSettled([this.#desk(3).check(payment), this.#desk(3).notified(Buffer.from(`signed ${reference}`), () => null)]); return;
      case 5: return this.#late(payment, reference);
      case 6: await this.#spend(); return;
      case 7: await this.#desk(3).refund({ id: payment.id, amount: this.random(2) === 0 ? null : '3', reason: 'r' }, { actor: SYSTEM_ACTOR, at: this.now }); return;
      default:
        this.now = later(this.now, this.random(2 * MILLISECONDS_PER_HOUR));
        if (this.random(4) === 0) this.provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
        await this.#desk(3).reconcile(5);
    }
  }

  async #start(): Promise<void> {
    const desk = this.#desk(5);
    this.payments.push(await desk.start({ accountId: STORE_ALICE, choice: { packageId: 'small' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, { actor: SYSTEM_ACTOR, at: this.now }));
  }

  #change(reference: string): void {
    const report = this.provider.reportOf(reference);
    if (report.status !== 'paid') {
      const next = (['paid', 'paid', 'failed', 'expired'] as const)[this.random(4)] ?? 'paid';
      this.provider.report(reference, { status: next, ...(this.random(10) === 0 ? { amount: 999n } : {}) });
    } else if (this.random(2) === 0) {
      const left = report.refunds.reduce((sum, { amount }) => sum - amount, 1000n);
      if (left > 0n) this.provider.report(reference, { refunds: [...report.refunds, { id: `own_${report.refunds.length}`, amount: left > 300n ? 300n : left }] });
    } else if (report.dispute === null) this.provider.report(reference, { dispute: { id: 'd', amount: 1000n, status: 'open' } });
    else if (report.dispute.status === 'open') this.provider.report(reference, { dispute: { ...report.dispute, status: this.random(2) === 0 ? 'won' : 'lost' } });
  }

  /** An answer of long ago arrives now. */
  async #late(payment: Payment, reference: string): Promise<void> {
    const answers = this.stale.get(reference) ?? [];
    const answer = answers[this.random(answers.length)];
    if (answer !== undefined) await this.subject.other.payments.apply(payment.id, answer, { at: this.now, suspends: false });
  }

  async #spend(): Promise<void> {
    this.#requests += 1;
    await this.driver.serve(this.#requests, anEnding(this.random(60)));
  }

  async #compare(): Promise<void> {
    const { store } = this.subject;
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
    const events = await readAll(store.events, { accountId: STORE_ALICE });
    const booked = events.filter(({ type }) => type === 'balance.booked').map(({ data }) => ({ reference: text(data['reference']), amount: text(data['amount']) }));
    expect(new Set(booked.map(({ reference }) => reference)).size).toBe(booked.length);
    const page = await store.payments.list({ accountId: STORE_ALICE, state: null, provider: null, start: null, end: null, isUncovered: false, limit: 100, after: null });
    for (const { id } of page.payments) await this.#compareOne(id, booked, events.filter(({ data }) => data['payment_id'] === id).map(({ type }) => type));
    expect(await store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 1, cursor: null })).toMatchObject({ records: [{}] });
  }

  /** Row, ledger and events of a payment say the same, and what the provider says of it. */
  async #compareOne(id: PaymentId, booked: readonly { readonly reference: string; readonly amount: string }[], types: readonly string[]): Promise<void> {
    const detail = await this.subject.store.payments.find(id);
    if (detail === null) throw new Error(`${id} is missing`);
    const { payment, adjustments } = detail;
    const own = booked.filter(({ reference }) => reference === `scripted:${id}` || reference.startsWith(`scripted:${id}:`));
    const net = own.reduce((sum, { amount }) => sum.plus(amountOf(amount)), ServiceTokens.ZERO);
    const taken = adjustments.filter(({ status }) => status !== 'won').reduce((sum, { claimed, uncovered }) => sum.plus(claimed.minus(uncovered)), ServiceTokens.ZERO);
    const credit = payment.bookedAt === null ? ServiceTokens.ZERO : payment.tokens;
    expect([id, net.toString()]).toEqual([id, credit.minus(taken).toString()]);
    expect(types.filter((type) => type === 'payment.paid')).toHaveLength(payment.bookedAt === null ? 0 : 1);
    expect(types.filter((type) => type === 'payment.refunded')).toHaveLength(adjustments.filter(({ kind }) => kind === 'refund').length);
    expect(types.filter((type) => type === 'payment.disputed')).toHaveLength(adjustments.filter(({ kind }) => kind === 'dispute').length);
    const report = payment.reference === null ? null : this.provider.reportOf(payment.reference);
    if (report?.status === 'paid' && report.amount === payment.amount) expect([id, payment.state, payment.bookedAt !== null || adjustments.length > 0]).toEqual([id, payment.state, true]);
    if (report?.status !== 'paid') expect(payment.bookedAt).toBeNull();
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function amountOf(signed: string): ServiceTokens {
  const amount = ServiceTokens.parse(signed.replace('-', ''));
  return signed.startsWith('-') ? ServiceTokens.ZERO.minus(amount) : amount;
}

/** Each payment is booked once or not at all, whatever the provider does and wherever gateways are killed. */
export function paymentHistoryContract(name: string, make: () => Promise<PaymentsSubject>, { histories, firstSeed = 1 }: { readonly histories: number; readonly firstSeed?: number }): void {
  describe(`payment histories: ${name}`, () => {
    it(`book each payment once or not at all (${histories} from seed ${firstSeed})`, async () => {
      for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
        const subject = await make();
        try {
          const driver = await StoreDriver.start(() => subject.store);
          await new PaymentHistory(subject, driver, randomFrom(seed)).run();
        } catch (failure) {
          throw new Error(`history ${seed} failed`, { cause: failure });
        } finally {
          await subject.close?.();
        }
      }
    });
  });
}
