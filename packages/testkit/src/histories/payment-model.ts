import type { Payment, PaymentAdjustment, ReportedPayment } from '@tollgate/core';

/** The price of every payment in a history. */
export const PRICE = 1000n;
/** In micro-tokens. */
const TOKENS = 100_000_000n;

interface Taken {
  readonly kind: 'refund' | 'dispute';
  readonly id: string;
  readonly amount: bigint;
  status: string;
  /** In micro-tokens. */
  readonly claimed: bigint;
  uncovered: bigint;
}

interface ModelPayment {
  state: string;
  problem: string | null;
  isBooked: boolean;
  hasReference: boolean;
  readonly taken: Taken[];
  /** The types of the payment's events, in order. */
  readonly events: string[];
}

type Shown = readonly [state: string, problem: string | null, isBooked: boolean, refunded: string, uncovered: string];
type ShownAdjustment = readonly [kind: string, id: string, status: string, claimed: string, uncovered: string];

const sum = (figures: readonly bigint[]): bigint => figures.reduce((total, figure) => total + figure, 0n);

function refundedOf(taken: readonly Taken[]): bigint {
  return sum(taken.filter(({ kind, status }) => kind === 'refund' && status === 'done').map(({ amount }) => amount));
}

export function shownPayment({ state, problem, bookedAt, refunded, uncovered }: Payment): Shown {
  return [state, problem, bookedAt !== null, refunded.toString(), uncovered.toUnits().toString()];
}

export function shownAdjustment({ kind, id, status, claimed, uncovered }: PaymentAdjustment): ShownAdjustment {
  return [kind, id, status, claimed.toUnits().toString(), uncovered.toUnits().toString()];
}

/** A model of one account, its payments and its ledger. States what a store must contain after the changes that were made. */
export class PaymentModel {
  readonly payments = new Map<string, ModelPayment>();
  /** Micro-tokens of each ledger entry of a payment, with their sign, by reference. */
  readonly booked = new Map<string, bigint>();
  /** In micro-tokens. */
  balance = 0n;

  opened(id: string): void {
    this.payments.set(id, { state: 'open', problem: null, isBooked: false, hasReference: false, taken: [], events: ['payment.opened'] });
  }

  started(id: string): void {
    const payment = this.#find(id);
    if (payment.state === 'open') payment.hasReference = true;
  }

  abandoned(id: string): void {
    const payment = this.#find(id);
    if (payment.state === 'open' && !payment.hasReference) this.#move(payment, 'expired');
  }

  /** Charges the cost of an ended request, at most the balance. The rest is written off. */
  charged(cost: bigint): void {
    this.balance -= cost < this.balance ? cost : this.balance;
  }

  reported(id: string, report: ReportedPayment): void {
    const payment = this.#find(id);
    if (!payment.isBooked && payment.taken.length === 0) this.#status(id, payment, report);
    if (!payment.isBooked && payment.problem === null) return;
    for (const refund of report.failedRefunds) this.#refundFailed(id, payment, refund);
    for (const { id: refund, amount } of report.refunds) {
      if (!payment.taken.some((known) => known.kind === 'refund' && known.id === refund)) this.#take(id, payment, { kind: 'refund', id: refund, amount, status: 'done' });
    }
    for (const dispute of report.disputes) this.#dispute(id, payment, dispute);
    payment.state = this.#stateOf(payment);
  }

  shown(id: string): Shown {
    const { state, problem, isBooked, taken } = this.#find(id);
    return [state, problem, isBooked, refundedOf(taken).toString(), sum(taken.map(({ uncovered }) => uncovered)).toString()];
  }

  shownAdjustments(id: string): readonly ShownAdjustment[] {
    return this.#find(id).taken.map(({ kind, id: name, status, claimed, uncovered }) => [kind, name, status, claimed.toString(), uncovered.toString()]);
  }

  #find(id: string): ModelPayment {
    const payment = this.payments.get(id);
    if (payment === undefined) throw new Error(`the model has no ${id}`);
    return payment;
  }

  #move(payment: ModelPayment, state: string): void {
    payment.state = state;
    payment.events.push(`payment.${state}`);
  }

  #book(reference: string, amount: bigint): void {
    if (amount === 0n) return;
    if (this.booked.has(reference)) throw new Error(`the model booked ${reference} twice`);
    this.booked.set(reference, amount);
    this.balance += amount;
  }

  #status(id: string, payment: ModelPayment, { status, amount }: ReportedPayment): void {
    if (status === 'open') return;
    if (status !== 'paid') {
      if (payment.state === 'open') this.#move(payment, status);
      return;
    }
    if (amount === PRICE) {
      payment.problem = null;
      payment.isBooked = true;
      this.#move(payment, 'paid');
      this.#book(`scripted:${id}`, TOKENS);
    } else if (payment.problem === null) {
      payment.problem = 'wrong-amount';
      this.#move(payment, 'unbookable');
    }
  }

  /** The tokens that a refund or dispute takes: in proportion to its amount, and at most what other refunds and disputes have left of the payment. */
  #claimOf({ isBooked, taken }: ModelPayment, { kind, amount }: Pick<Taken, 'kind' | 'amount'>): bigint {
    if (!isBooked) return 0n;
    const before = kind === 'refund' ? refundedOf(taken) : 0n;
    const share = (part: bigint): bigint => (part >= PRICE ? TOKENS : (part * TOKENS) / PRICE);
    const wanted = share(before + amount) - share(before);
    const left = TOKENS - sum(taken.filter((known) => known.status !== 'won' && known.status !== 'failed').map((known) => known.claimed));
    return wanted < left ? wanted : left;
  }

  #take(id: string, payment: ModelPayment, told: Pick<Taken, 'kind' | 'id' | 'amount' | 'status'>): Taken {
    const claimed = this.#claimOf(payment, told);
    const covered = claimed < this.balance ? claimed : this.balance;
    const taken = { ...told, claimed, uncovered: claimed - covered };
    payment.taken.push(taken);
    payment.events.push(told.kind === 'refund' ? 'payment.refunded' : 'payment.disputed');
    this.#book(`scripted:${id}:${told.kind}:${told.id}`, -covered);
    return taken;
  }

  #refundFailed(id: string, { taken, events }: ModelPayment, refund: string): void {
    const known = taken.find(({ kind, id: name, status }) => kind === 'refund' && name === refund && status === 'done');
    if (known === undefined) return;
    events.push('payment.refund_failed');
    this.#book(`scripted:${id}:refund:${refund}:failed`, known.claimed - known.uncovered);
    known.uncovered = 0n;
    known.status = 'failed';
  }

  #dispute(id: string, payment: ModelPayment, { id: name, amount, status }: ReportedPayment['disputes'][number]): void {
    const before = payment.taken.find((taken) => taken.kind === 'dispute' && taken.id === name);
    if (before === undefined && status === 'won') {
      payment.taken.push({ kind: 'dispute', id: name, amount, status, claimed: 0n, uncovered: 0n });
      payment.events.push('payment.dispute_won');
      return;
    }
    const known = before ?? this.#take(id, payment, { kind: 'dispute', id: name, amount, status: 'open' });
    if (status === 'open' || known.status === 'won' || known.status === status) return;
    payment.events.push(`payment.dispute_${status}`);
    if (status === 'won') {
      this.#book(`scripted:${id}:dispute:${name}:won`, known.claimed - known.uncovered);
      known.uncovered = 0n;
    }
    known.status = status;
  }

  #stateOf({ isBooked, taken }: ModelPayment): string {
    const disputes = taken.filter(({ kind }) => kind === 'dispute').map(({ status }) => status);
    if (disputes.includes('open')) return 'disputed';
    if (disputes.includes('lost')) return 'dispute-lost';
    const refunded = refundedOf(taken);
    if (refunded >= PRICE) return 'refunded';
    if (!isBooked) return 'unbookable';
    if (refunded > 0n) return 'partly-refunded';
    return disputes.length > 0 ? 'dispute-won' : 'paid';
  }
}
