import {
  type Clock, type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, NO_AUDIT_FILTERS, parseTokenRate, type Payment, PaymentDesk, type PaymentId, PaymentProviderFailure, type PaymentRecords,
  type PaymentRefundId, type ReportedPayment, ServiceTokens, STATEMENT_DELAY_MILLISECONDS, SYSTEM_ACTOR, verifyAllStatements,
} from '@tollgate/core';
import { makeStatements } from '../contracts/statements/statements-contract.js';
import { readAll } from '../contracts/events/events-subject.js';
import type { PaymentsSubject } from '../contracts/payments/payments-subject.js';
import { ScriptedPayments } from '../contracts/payments/scripted-payments.js';
import { STORE_ALICE, STORE_NOON, StoreDriver } from '../contracts/store-subject.js';
import { describe, expect } from '../contracts/test-runner.js';
import { it } from '@jest/globals';
import { anEnding } from '../builders/builders.js';
import type { HistoryExtent } from './run-histories.js';
import { randomFrom } from '../programs/seeded-random.js';
import { PaymentModel, PRICE, shownAdjustment, shownPayment } from './payment-model.js';

const CATALOGUE = {
  usdPerServiceToken: parseTokenRate('0.1'),
  creditOffer: { packages: [{ id: 'small', name: 'Small', amount: PRICE, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO }], custom: null },
};

/** The error of a process that is killed before, in or after a transaction, or that loses the database's answer. */
export class Killed extends Error {}

export interface KilledPaymentsSubject extends PaymentsSubject {
  /** The records of a process that is killed in its next transaction after this many statements. The call then throws `Killed`. */
  readonly dying: (statements: number) => PaymentRecords;
}

const STEPS = 30;
/** More than the number of statements of any report, even one with several steps. */
const MOST_STATEMENTS = 40;
/** In milliseconds. */
const USUAL_TIMEOUT = 60_000;
const TIMEOUT_PER_HISTORY = 4_000;

/**
 * One history of payments, with two gateways. The provider accepts, refunds and disputes payments and lets refunds fail at any time, and repeats,
 * delays and loses its reports.
 */
class PaymentHistory {
  readonly provider = new ScriptedPayments();
  readonly payments: Payment[] = [];
  readonly model = new PaymentModel();
  readonly stale = new Map<string, ReportedPayment[]>();
  now: Instant = STORE_NOON;
  #ids = 0;
  #requests = 0;

  constructor(readonly subject: KilledPaymentsSubject, readonly driver: StoreDriver, readonly random: (below: number) => number) {}

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step();
      await this.#compareState(step);
    }
    // Finally, the reconciler must find every report that was lost.
    for (let round = 0; round < 3; round += 1) {
      this.now = later(this.now, MILLISECONDS_PER_DAY);
      await this.#desk(0).reconcile(100);
    }
    await this.#compareState('end');
    await this.#compareBooks();
  }

  #desk(kills: number): PaymentDesk {
    const records = this.random(2) === 0 ? this.subject.store.payments : this.subject.other.payments;
    return new PaymentDesk({
      records: this.#modelled(records, kills), provider: this.provider, clock: { now: () => this.now } as Clock, accounts: this.subject.store.accounts, suspendsOnDispute: false,
      catalogue: { current: () => CATALOGUE } as never,
      ids: { paymentId: () => `pay_${(this.#ids += 1)}` as PaymentId, paymentRefundId: () => `refund_${(this.#ids += 1)}` as PaymentRefundId },
    });
  }

  /** Records that also apply each committed change to the model. On average, one of `kills` changes is interrupted; with 0, none is. */
  #modelled(records: PaymentRecords, kills: number): PaymentRecords {
    const { model } = this;
    const interrupted = async <Result>(change: (to: PaymentRecords) => Promise<Result>, told: (result: Result) => void = () => undefined): Promise<Result> => {
      const killed = kills > 0 && this.random(kills) === 0 ? this.random(3) : null;
      if (killed === 0) throw new Killed();
      if (killed === 1) {
        await change(this.subject.dying(this.random(MOST_STATEMENTS)));
        throw new Error('a process that is killed in its transaction has committed it');
      }
      const result = await change(records);
      told(result);
      if (killed !== null) throw new Killed();
      return result;
    };
    const changes: Pick<PaymentRecords, 'open' | 'started' | 'apply' | 'abandon' | 'requestRefund' | 'refundAnswered'> = {
      open: (payment, by) => interrupted((to) => to.open(payment, by), (outcome) => {
        if (outcome === 'opened') model.opened(payment.id);
      }),
      started: (id, checkout) => interrupted((to) => to.started(id, checkout), () => model.started(id)),
      apply: (id, report, by) => interrupted((to) => to.apply(id, report, by), () => model.reported(id, report)),
      abandon: (id, at) => interrupted((to) => to.abandon(id, at), () => model.abandoned(id)),
      requestRefund: (refund, by) => interrupted((to) => to.requestRefund(refund, by)),
      refundAnswered: (id, answer) => interrupted((to) => to.refundAnswered(id, answer)),
    };
    return new Proxy(records, {
      get: (target, name: keyof PaymentRecords) => (name in changes ? changes[name as keyof typeof changes] : (target[name] as (...all: unknown[]) => unknown).bind(target)),
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
      this.provider.report(reference, { status: next, ...(this.random(4) === 0 ? { amount: 999n } : {}) });
    } else if (report.amount !== PRICE && this.random(3) === 0) this.provider.report(reference, { amount: PRICE });
    else if (this.random(2) === 0) {
      const left = report.refunds.reduce((sum, { amount }) => sum - amount, 1000n);
      const [first, ...others] = report.refunds;
      if (first !== undefined && this.random(3) === 0) this.provider.report(reference, { refunds: others, failedRefunds: [...report.failedRefunds, first.id] });
      else if (left > 0n) this.provider.report(reference, { refunds: [...report.refunds, { id: `own_${report.refunds.length + report.failedRefunds.length}`, amount: left > 300n ? 300n : left }] });
    } else this.#changeDisputes(reference, report.disputes);
  }

  /** Opens one of at most two disputes, or ends those that are open. */
  #changeDisputes(reference: string, disputes: ReportedPayment['disputes']): void {
    const isOpen = disputes.some(({ status }) => status === 'open');
    if (disputes.length < 2 && (!isOpen || this.random(3) === 0)) {
      this.provider.report(reference, { disputes: [...disputes, { id: `d${disputes.length}`, amount: this.random(2) === 0 ? PRICE : 700n, status: 'open' }] });
    } else if (isOpen) this.provider.report(reference, { disputes: disputes.map((dispute) => (dispute.status === 'open' ? { ...dispute, status: this.random(2) === 0 ? 'won' : 'lost' } : dispute)) });
  }

  /** Applies a report of the provider long after it was made. */
  async #late(payment: Payment, reference: string): Promise<void> {
    const answers = this.stale.get(reference) ?? [];
    const answer = answers[this.random(answers.length)];
    if (answer !== undefined) await this.#modelled(this.subject.other.payments, 0).apply(payment.id, answer, { at: this.now, suspends: false });
  }

  async #spend(): Promise<void> {
    this.#requests += 1;
    const tokens = this.random(60);
    await this.driver.serve(this.#requests, anEnding(tokens));
    this.model.charged(BigInt(tokens) * 1_000_000n);
  }

  /** Compares the balance and the payments with the model. */
  async #compareState(step: number | 'end'): Promise<void> {
    const { store } = this.subject;
    const { payments } = await store.payments.list({ accountId: STORE_ALICE, state: null, provider: null, start: null, end: null, isUncovered: false, limit: 100, after: null });
    const found = payments.map((payment) => [payment.id, ...shownPayment(payment)].join(' ')).toSorted();
    const expected = [...this.model.payments.keys()].map((id) => [id, ...this.model.shown(id)].join(' ')).toSorted();
    expect([step, found]).toEqual([step, expected]);
    const balance = ServiceTokens.fromUnits(this.model.balance).toString();
    expect([step, await this.driver.balance()]).toEqual([step, `${balance}/0/${balance}`]);
  }

  /** Compares adjustments, ledger, events and audit log with the model, and monthly statements with the ledger. */
  async #compareBooks(): Promise<void> {
    const { store } = this.subject;
    const { model } = this;
    const events = await readAll(store.events, { accountId: STORE_ALICE });
    const booked = events.filter(({ type, data }) => type === 'balance.booked' && text(data['reference']).startsWith('scripted:'));
    expect(booked.map(({ data }) => `${text(data['reference'])} ${text(data['amount'])}`).toSorted())
      .toEqual([...model.booked].map(([reference, amount]) => `${reference} ${ServiceTokens.fromUnits(amount).toString()}`).toSorted());
    for (const [id, { events: types }] of model.payments) {
      const detail = await store.payments.find(id as PaymentId);
      expect([id, detail?.adjustments.map(shownAdjustment)]).toEqual([id, model.shownAdjustments(id)]);
      expect([id, events.filter(({ data }) => data['payment_id'] === id).map(({ type }) => type)]).toEqual([id, types]);
      this.#compareProvider(id);
    }
    expect(await store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: STORE_ALICE, limit: 1, cursor: null })).toMatchObject({ records: [{}] });
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
    await makeStatements(store.statements, later(this.now, 31 * MILLISECONDS_PER_DAY + STATEMENT_DELAY_MILLISECONDS));
    const verified = await verifyAllStatements(store.statements);
    expect([verified.statements > 0, verified.differences]).toEqual([model.booked.size > 0, []]);
  }

  /** Checks that a payment was not booked unless the provider received it in full, and that one received in full was booked, refunded or disputed. */
  #compareProvider(id: string): void {
    const payment = this.model.payments.get(id);
    const report = this.provider.reports.get(`ref_${id}`);
    if (payment === undefined || report === undefined || !payment.hasReference) return;
    const isPaid = report.status === 'paid' && report.amount === PRICE;
    if (!isPaid) expect([id, payment.isBooked]).toEqual([id, false]);
    else expect([id, payment.isBooked || payment.taken.length > 0]).toEqual([id, true]);
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Tests that each payment is booked once or not at all, whatever the provider does and at whatever point gateways are killed. */
export function paymentHistoryContract(name: string, make: () => Promise<KilledPaymentsSubject>, { histories, seed: firstSeed }: Pick<HistoryExtent, 'histories' | 'seed'>): void {
  describe(`payment histories: ${name}`, () => {
    it(`book each payment once or not at all (${histories} histories from seed ${firstSeed})`, async () => {
      let played = 0;
      for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
        const subject = await make();
        try {
          const driver = await StoreDriver.start(() => subject.store);
          await new PaymentHistory(subject, driver, randomFrom(seed)).run();
          played += 1;
        } catch (failure) {
          throw new Error(`history ${seed} failed`, { cause: failure });
        } finally {
          await subject.close?.();
        }
      }
      expect(played).toBe(histories);
    }, Math.max(USUAL_TIMEOUT, histories * TIMEOUT_PER_HISTORY));
  });
}
