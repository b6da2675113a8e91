import { type Balance, MAX_BALANCE } from '../billing/balance.js';
import { largerOf, ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { Payment, PaymentAdjustment, PaymentProblem, PaymentState } from './payment.js';
import type { ReportedDispute, ReportedPayment } from './payment-provider.js';

type Refund = ReportedPayment['refunds'][number];

/** A change that a report makes to a payment. Each step is booked, recorded and reported once. */
export type PaymentStep =
  /** Books the tokens. */
  | { readonly step: 'paid' }
  | { readonly step: 'failed' | 'expired' }
  | { readonly step: 'unbookable'; readonly problem: PaymentProblem }
  /** Takes `claimed`, or as much of it as is available; books no act if that is zero. */
  | { readonly step: 'refunded'; readonly refund: Refund; readonly claimed: ServiceTokens }
  /** Returns what the refund took. */
  | { readonly step: 'refund-failed'; readonly refund: Refund; readonly returned: ServiceTokens }
  | { readonly step: 'disputed'; readonly dispute: ReportedDispute; readonly claimed: ServiceTokens }
  /** Returns what the step `disputed` took. Zero if there was no such step, because the dispute's first report says that it is won. */
  | { readonly step: 'dispute-won'; readonly dispute: ReportedDispute; readonly returned: ServiceTokens }
  | { readonly step: 'dispute-lost'; readonly dispute: ReportedDispute };

type StatusStep = Extract<PaymentStep, { readonly step: 'paid' | 'failed' | 'expired' | 'unbookable' }>;

/** Read under the same lock as the change. */
export interface PaymentFacts {
  readonly payment: Payment;
  readonly adjustments: readonly PaymentAdjustment[];
  /** Tokens of the payment's credit that have expired. */
  readonly expired: ServiceTokens;
  readonly account: {
    readonly balance: Balance;
    /** True also while a due deletion waits: tokens that were booked now would be forfeited. */
    readonly isDeleted: boolean;
  };
}

/** Fields of a payment after a report. `uncovered` is not among them, because it changes with each booked act. */
export interface PaymentAfter {
  readonly state: PaymentState;
  readonly problem: PaymentProblem | null;
  readonly refunded: bigint;
}

export interface PaymentDecision {
  readonly steps: readonly PaymentStep[];
  readonly after: PaymentAfter;
}

/**
 * Returns the steps that a report adds to the steps already taken. Each step is taken once, so repeated and reordered reports change nothing. A late
 * payment of an expired or failed checkout is booked; a payment of another amount or currency is not.
 */
export function decidePayment({ payment, adjustments, expired, account }: PaymentFacts, report: ReportedPayment): PaymentDecision {
  const progress = new Progress({ payment, adjustments, expired, account });
  const status = statusStep({ payment, adjustments, account }, report);
  if (status !== null) progress.take(status);
  if (progress.isPaid) takeAdjustments(progress, report);
  return { steps: progress.steps, after: progress.after() };
}

/** True if the gateway refunds what is left of the payment, because its account was deleted before the payment could be booked. */
export function isReturned({ state, problem }: PaymentAfter, { isDeleted }: Pick<PaymentFacts['account'], 'isDeleted'>): boolean {
  return state === 'unbookable' && (problem === 'account-deleted' || (isDeleted && problem === 'maximum-balance'));
}

function takeAdjustments(progress: Progress, report: ReportedPayment): void {
  for (const id of report.failedRefunds) progress.refundFailed(id);
  for (const refund of report.refunds) if (refund.amount > 0n && !progress.knows('refund', refund.id)) progress.refund(refund);
  for (const dispute of report.disputes) progress.dispute(dispute);
}

const UNPAID: readonly PaymentState[] = ['open', 'failed', 'expired', 'unbookable'];

function statusStep({ payment, adjustments, account }: Omit<PaymentFacts, 'expired'>, report: ReportedPayment): StatusStep | null {
  // A refund or dispute before the booking took no tokens, so the payment is not booked afterwards.
  if (!UNPAID.includes(payment.state) || adjustments.length > 0) return null;
  if (report.status !== 'paid') return payment.state === 'open' && report.status !== 'open' ? { step: report.status } : null;
  const problem = problemOf(payment, account, report);
  if (problem === null) return { step: 'paid' };
  return payment.problem === problem ? null : { step: 'unbookable', problem };
}

function problemOf({ amount, currency, tokens, problem }: Payment, { balance, isDeleted }: PaymentFacts['account'], report: ReportedPayment): PaymentProblem | null {
  if (report.currency !== currency) return 'wrong-currency';
  if (report.amount !== amount) return 'wrong-amount';
  // The refund of a payment is not withdrawn when a due deletion is cancelled.
  if (isDeleted || problem === 'account-deleted') return 'account-deleted';
  return hasRoomFor(tokens, balance) ? null : 'maximum-balance';
}

function hasRoomFor(tokens: ServiceTokens, { posted }: Balance): boolean {
  return !MAX_BALANCE.isLessThan(posted.plus(tokens));
}

type Known = Pick<PaymentAdjustment, 'kind' | 'id' | 'amount' | 'status' | 'claimed' | 'uncovered'>;

/** Ends of a dispute or refund after which the tokens that it took are returned. */
const RETURNED: ReadonlySet<Known['status']> = new Set(['won', 'failed']);
const DISPUTE_STATES = { open: 'disputed', lost: 'dispute-lost' } as const;

class Progress {
  readonly steps: PaymentStep[] = [];
  #problem: PaymentProblem | null;
  #state: PaymentState;
  #isBooked: boolean;
  readonly #known: Map<string, Known>;
  /** Tokens that steps of this report return. */
  #returned = ServiceTokens.ZERO;
  /** True if a return of tokens waits for room in the balance; `null` if the report returns none. */
  #waits: boolean | null = null;

  constructor(private readonly facts: PaymentFacts) {
    const { payment, adjustments } = facts;
    this.#problem = payment.problem;
    this.#state = payment.state;
    this.#isBooked = payment.bookedAt !== null;
    this.#known = new Map(adjustments.map((adjustment) => [keyOf(adjustment.kind, adjustment.id), adjustment]));
  }

  get isPaid(): boolean {
    return this.#isBooked || this.#problem !== null;
  }

  knows(kind: Known['kind'], id: string): boolean {
    return this.#known.has(keyOf(kind, id));
  }

  take(step: StatusStep): void {
    this.steps.push(step);
    if (step.step === 'paid') this.#isBooked = true;
    this.#problem = step.step === 'unbookable' ? step.problem : null;
    this.#state = step.step;
  }

  refund(refund: Refund): void {
    const before = this.#refunded();
    const claimed = this.#claim(this.#tokensOf(before + refund.amount).minus(this.#tokensOf(before)));
    this.#add({ kind: 'refund', ...refund, status: 'done', claimed, uncovered: ServiceTokens.ZERO });
    this.steps.push({ step: 'refunded', refund, claimed });
  }

  /** A refund that fails before it was reported as completed took no tokens, so none are returned. */
  refundFailed(id: string): void {
    const known = this.#known.get(keyOf('refund', id));
    if (known?.status !== 'done') return;
    const returned = known.claimed.minus(known.uncovered);
    if (!this.#giveBack(returned)) return;
    this.#add({ ...known, status: 'failed' });
    this.steps.push({ step: 'refund-failed', refund: { id, amount: known.amount }, returned });
  }

  /** False while the balance has no room: the step waits for a later report. */
  #giveBack(amount: ServiceTokens): boolean {
    const returned = this.#returned.plus(amount);
    const hasRoom = amount.isZero() || hasRoomFor(returned, this.facts.account.balance);
    this.#waits = this.#waits === true || !hasRoom;
    if (hasRoom) this.#returned = returned;
    return hasRoom;
  }

  /** A lost dispute can still be won by an appeal; a won dispute stays won. */
  dispute(dispute: ReportedDispute): void {
    const known = this.#known.get(keyOf('dispute', dispute.id)) ?? (dispute.status === 'won' ? disputeOf(dispute, ServiceTokens.ZERO) : this.#openDispute(dispute));
    if (known.status === 'won' || known.status === dispute.status || dispute.status === 'open') return;
    if (dispute.status === 'won') {
      const returned = known.claimed.minus(known.uncovered);
      if (!this.#giveBack(returned)) return;
      this.steps.push({ step: 'dispute-won', dispute, returned });
    } else this.steps.push({ step: 'dispute-lost', dispute });
    this.#add({ ...known, status: dispute.status });
  }

  #openDispute(dispute: ReportedDispute): Known {
    const claimed = this.#claim(this.#tokensOf(dispute.amount));
    const opened = disputeOf(dispute, claimed);
    this.#add(opened);
    this.steps.push({ step: 'disputed', dispute, claimed });
    return opened;
  }

  after(): PaymentAfter {
    return { state: this.isPaid ? this.#paidState() : this.#state, problem: this.#problemAfter(), refunded: this.#refunded() };
  }

  #problemAfter(): PaymentProblem | null {
    if (!this.#isBooked || this.#waits === null) return this.#problem;
    return this.#waits ? 'maximum-balance' : null;
  }

  #paidState(): PaymentState {
    const disputes = this.#of('dispute');
    for (const status of ['open', 'lost'] as const) if (disputes.some((dispute) => dispute.status === status)) return DISPUTE_STATES[status];
    const refunded = this.#refunded();
    if (refunded >= this.facts.payment.amount) return 'refunded';
    if (!this.#isBooked) return 'unbookable';
    if (refunded > 0n) return 'partly-refunded';
    return disputes.length > 0 ? 'dispute-won' : 'paid';
  }

  #add(known: Known): void {
    this.#known.set(keyOf(known.kind, known.id), known);
  }

  #of(kind: Known['kind']): readonly Known[] {
    return [...this.#known.values()].filter((known) => known.kind === kind);
  }

  #refunded(): bigint {
    return this.#of('refund').filter(({ status }) => status === 'done').reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** Tokens that the amount bought, rounded down; the whole amount gives all tokens. */
  #tokensOf(amount: bigint): ServiceTokens {
    const { tokens, amount: whole } = this.facts.payment;
    return amount >= whole ? tokens : ServiceTokens.fromUnits((tokens.toUnits() * amount) / whole);
  }

  /** All refunds and disputes together take at most the tokens that were booked and have not expired. */
  #claim(tokens: ServiceTokens): ServiceTokens {
    if (!this.#isBooked) return ServiceTokens.ZERO;
    const claimed = [...this.#known.values()].reduce((sum, known) => (RETURNED.has(known.status) ? sum : sum.plus(known.claimed)), ServiceTokens.ZERO);
    return smallerOf(tokens, largerOf(ServiceTokens.ZERO, this.facts.payment.tokens.minus(claimed).minus(this.facts.expired)));
  }
}

function disputeOf({ id, amount }: ReportedDispute, claimed: ServiceTokens): Known {
  return { kind: 'dispute', id, amount, status: 'open', claimed, uncovered: ServiceTokens.ZERO };
}

function keyOf(kind: Known['kind'], id: string): string {
  return `${kind} ${id}`;
}
