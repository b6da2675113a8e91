import {
  assertNever, decidePayment, decideStanding, disputeReferenceOf, failedRefundReferenceOf, type Instant, invariant, isReturned, type MoneyAct, nextCheckAt, type Payment, type PaymentAdjustment, type PaymentId, paymentCreditExpiryOf, paymentReferenceOf,
  paymentRefundReferenceOf, type PaymentStep, refundAfterDeletionIdOf, type ReportedPayment, ServiceTokens, stepAction, stepEvent, SYSTEM_ACTOR, wonDisputeReferenceOf,
} from '@tollgate/core';
import { ACCOUNT_COLUMNS, accountFromRow } from '../accounts/account-rows.js';
import { moveStanding } from '../accounts/move-standing.js';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { appendEvent } from '../events/append-event.js';
import { bookMoneyAct } from '../ledger/money-act-script.js';
import { balanceFromRow } from '../money/balance-rows.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import { followCharge } from './change-top-up.js';
import { expiredTokens } from './expired-tokens.js';
import { pendingRefunds } from './pending-refunds.js';
import { adjustmentFromRow, PAYMENT_COLUMNS, paymentFromRow } from './payment-rows.js';
import { recordRefund } from './record-refund.js';

export interface Applying {
  readonly at: Instant;
  readonly suspends: boolean;
}

interface PaymentReport {
  readonly id: PaymentId;
  readonly report: ReportedPayment;
}

const DISPUTED = 'A payment of this account was disputed.';

/**
 * The only place where a payment is booked. State, ledger, audit log and events change together. Locks the account, and then the payment; after that,
 * what the decision reads cannot change.
 */
export function* applyReport(queries: Queries, { id, report }: PaymentReport, applying: Applying): Script<Payment | null> {
  const owner = yield* firstOf(queries.selectFrom('payments').select('account_id').where('id', '=', id));
  if (owner === null) return null;
  const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select(['balance', 'reserved', 'status', 'deletion_due_at']).where('id', '=', owner.account_id)));
  const row = yield* firstOf(locking(queries, queries.selectFrom('payments').select(PAYMENT_COLUMNS).where('id', '=', id)));
  invariant(account !== null && row !== null, 'neither accounts nor payments are deleted');
  const payment = paymentFromRow(row);
  const adjustments = yield* adjustmentsOf(queries, id);
  const { at } = applying;
  const isErased = account.status === 'deleted';
  const isDeleted = isErased || (account.status === 'pending-deletion' && account.deletion_due_at !== null && account.deletion_due_at <= BigInt(at));
  const decision = decidePayment({ payment, adjustments, expired: yield* expiredTokens(queries, payment), account: { balance: balanceFromRow(account), isDeleted } }, report);
  let uncovered = payment.uncovered;
  for (const step of decision.steps) uncovered = uncovered.plus(yield* takeStep(queries, { payment, step, adjustments }, applying));
  yield* acceptKnown(queries, { id, report });
  yield* refuseFailed(queries, { id, report });
  if (isReturned(decision.after, { isDeleted })) yield* refundRest(queries, payment, { refunded: decision.after.refunded, at });
  const awaitsRefund = (yield* pendingRefunds(queries, id)) > 0n;
  const changed = decision.steps.length > 0;
  yield* changesOf(queries.updateTable('payments').set({
    ...decision.after, uncovered: uncovered.toUnits(), checked_at: at, next_check_at: nextCheckAt({ ...payment, ...decision.after, awaitsRefund }, at),
    ...(decision.steps.some(({ step }) => step === 'paid') ? { booked_at: at } : {}), ...(decision.after.state === 'open' ? {} : { url: null }), ...(changed ? { changed_at: at } : {}),
    // An erased account has no personal texts, so none are stored again.
    ...(isErased ? {} : {
      customer: storableTextOrNull(report.customer ?? payment.customer), method: storableTextOrNull(report.method ?? payment.method),
      invoice_url: storableTextOrNull(report.invoiceUrl ?? payment.invoiceUrl),
    }),
  }).where('id', '=', id));
  yield* followCharge(queries, { payment, steps: decision.steps.map(({ step }) => step) }, at);
  if (applying.suspends && decision.steps.some((step) => step.step === 'disputed')) yield* suspend(queries, payment, at);
  const after = yield* firstOf(queries.selectFrom('payments').select(PAYMENT_COLUMNS).where('id', '=', id));
  return after === null ? null : paymentFromRow(after);
}

/** Requests the refund of what no operator has refunded. */
function* refundRest(queries: Queries, payment: Payment, { refunded, at }: { readonly refunded: bigint; readonly at: Instant }): Script<void> {
  const amount = payment.amount - refunded - (yield* pendingRefunds(queries, payment.id));
  if (amount > 0n) yield* recordRefund(queries, { id: refundAfterDeletionIdOf(payment), amount, payment, reason: null }, { actor: SYSTEM_ACTOR, at });
}

/** Accepts requested refunds whose answer was lost, and which the provider has nevertheless. */
function* acceptKnown(queries: Queries, { id: paymentId, report: { requestedRefunds } }: PaymentReport): Script<void> {
  for (const { request, id } of requestedRefunds) {
    yield* changesOf(queries.updateTable('payment_refunds').set({ state: 'accepted', reference: storableText(id) }).where('id', '=', storableText(request)).where('payment_id', '=', paymentId).where('state', '=', 'requested'));
  }
}

/** Marks requested refunds as refused if the provider reports that they failed, so that their amounts can be refunded again. */
function* refuseFailed(queries: Queries, { id, report: { failedRefunds } }: PaymentReport): Script<void> {
  if (failedRefunds.length === 0) return;
  yield* changesOf(queries.updateTable('payment_refunds').set({ state: 'refused' }).where('payment_id', '=', id).where('state', '=', 'accepted').where('reference', 'in', failedRefunds.map(storableText)));
}

export function* adjustmentsOf(queries: Queries, id: PaymentId): Script<readonly PaymentAdjustment[]> {
  const rows = yield* rowsOf(queries.selectFrom('payment_adjustments').select(['kind', 'id', 'amount', 'status', 'claimed', 'uncovered']).where('payment_id', '=', id).orderBy('seq'));
  return rows.map(adjustmentFromRow);
}

interface Stepped {
  readonly payment: Payment;
  readonly step: PaymentStep;
  /** Adjustments of the payment before this report. */
  readonly adjustments: readonly PaymentAdjustment[];
}

/** Books and stores one step. Returns the change of the payment's uncovered amount. */
function* takeStep(queries: Queries, stepped: Stepped, { at }: Applying): Script<ServiceTokens> {
  const { payment, step } = stepped;
  const act = actOf(payment, step, at);
  const outcome = act === null ? null : yield* bookMoneyAct(queries, act);
  const uncovered = outcome === null ? ServiceTokens.ZERO : uncoveredBy(act, outcome);
  const change = yield* recordStep(queries, stepped, { uncovered, at });
  const event = stepEvent(payment, step, { uncovered, at });
  yield* appendEvent(queries, event);
  yield* appendAuditEntry(queries, { actor: SYSTEM_ACTOR, at, action: stepAction(step), subject: payment.id, accountId: payment.accountId, details: event.data });
  return change;
}

type BookedOutcome = ReturnType<typeof bookMoneyAct> extends Script<infer Outcome> ? Outcome : never;

/** From a deleted account, no amount can be taken, so the whole amount is uncovered. */
function uncoveredBy(act: MoneyAct | null, outcome: BookedOutcome): ServiceTokens {
  if (outcome.outcome === 'booked' || outcome.outcome === 'nothing-available') return outcome.uncovered;
  invariant(outcome.outcome === 'account-deleted', `each step is booked once: ${outcome.outcome}`);
  return act?.amount ?? ServiceTokens.ZERO;
}

/** Returns `null` if the step changes no balance. */
function actOf(payment: Payment, step: PaymentStep, at: Instant): MoneyAct | null {
  const common = { accountId: payment.accountId, reason: null, actor: SYSTEM_ACTOR, at };
  switch (step.step) {
    case 'paid': return { ...common, kind: 'payment', amount: payment.tokens, reference: paymentReferenceOf(payment), expiresAt: paymentCreditExpiryOf(payment, at) };
    case 'refunded': return step.claimed.isZero() ? null : { ...common, kind: 'payment-refund', direction: 'lower', amount: step.claimed, reference: paymentRefundReferenceOf(payment, step.refund.id) };
    case 'refund-failed': return step.returned.isZero() ? null : { ...common, kind: 'payment-refund', direction: 'raise', amount: step.returned, reference: failedRefundReferenceOf(payment, step.refund.id) };
    case 'disputed': return step.claimed.isZero() ? null : { ...common, kind: 'dispute', direction: 'lower', amount: step.claimed, reference: disputeReferenceOf(payment, step.dispute.id) };
    case 'dispute-won': return step.returned.isZero() ? null : { ...common, kind: 'dispute', direction: 'raise', amount: step.returned, reference: wonDisputeReferenceOf(payment, step.dispute.id) };
    case 'failed': case 'expired': case 'unbookable': case 'dispute-lost': return null;
    default: return assertNever(step);
  }
}

type AdjustmentKey = Pick<PaymentAdjustment, 'kind' | 'id'>;

function isKnown(adjustments: readonly PaymentAdjustment[], { kind, id }: AdjustmentKey): boolean {
  return adjustments.some((known) => known.kind === kind && known.id === id);
}

function uncoveredOf(adjustments: readonly PaymentAdjustment[], { kind, id }: AdjustmentKey): ServiceTokens {
  return adjustments.find((known) => known.kind === kind && known.id === id)?.uncovered ?? ServiceTokens.ZERO;
}

interface Recorded {
  readonly uncovered: ServiceTokens;
  readonly at: Instant;
}

function* recordStep(queries: Queries, { payment, step, adjustments }: Stepped, { uncovered, at }: Recorded): Script<ServiceTokens> {
  switch (step.step) {
    case 'refunded': case 'disputed': {
      const reported = step.step === 'refunded' ? { kind: 'refund', status: 'done', ...step.refund } as const : { kind: 'dispute', ...step.dispute, status: 'open' } as const;
      yield* addAdjustment(queries, payment, { ...reported, claimed: step.claimed, uncovered, at });
      return uncovered;
    }
    case 'refund-failed':
      yield* changesOf(queries.updateTable('payment_adjustments').set({ status: 'failed', uncovered: 0n }).where('payment_id', '=', payment.id).where('kind', '=', 'refund').where('id', '=', step.refund.id).where('status', '=', 'done'));
      return ServiceTokens.ZERO.minus(uncoveredOf(adjustments, { kind: 'refund', id: step.refund.id }));
    case 'dispute-won': {
      const known = { kind: 'dispute', id: step.dispute.id } as const;
      if (isKnown(adjustments, known)) yield* setDispute(queries, payment, { id: known.id, set: { status: 'won', uncovered: 0n } });
      else yield* addAdjustment(queries, payment, { ...known, amount: step.dispute.amount, status: 'won', claimed: ServiceTokens.ZERO, uncovered: ServiceTokens.ZERO, at });
      return ServiceTokens.ZERO.minus(uncoveredOf(adjustments, known));
    }
    case 'dispute-lost':
      yield* setDispute(queries, payment, { id: step.dispute.id, set: { status: 'lost' } });
      return ServiceTokens.ZERO;
    case 'paid': case 'failed': case 'expired': case 'unbookable': return ServiceTokens.ZERO;
    default: return assertNever(step);
  }
}

function* addAdjustment(queries: Queries, { id: paymentId }: Payment, { claimed, uncovered, ...adjustment }: PaymentAdjustment & { readonly at: Instant }): Script<void> {
  yield* changesOf(queries.insertInto('payment_adjustments').values({ ...adjustment, payment_id: paymentId, claimed: claimed.toUnits(), uncovered: uncovered.toUnits() }));
}

interface DisputeChange {
  readonly id: string;
  readonly set: { readonly status: string; readonly uncovered?: bigint };
}

function* setDispute(queries: Queries, { id: paymentId }: Payment, { id, set }: DisputeChange): Script<void> {
  yield* changesOf(queries.updateTable('payment_adjustments').set(set).where('payment_id', '=', paymentId).where('kind', '=', 'dispute').where('id', '=', id));
}

/** Suspends the account, unless its owner is an operator: no operator might remain to reactivate it. */
function* suspend(queries: Queries, { accountId }: Payment, at: Instant): Script<void> {
  const operator = yield* firstOf(queries.selectFrom('people').select('id').where('account_id', '=', accountId).where('role', '=', 'operator'));
  const row = yield* firstOf(queries.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('id', '=', accountId));
  if (operator !== null || row === null) return;
  const from = accountFromRow(row);
  const decision = decideStanding(from, { trigger: 'suspend', actor: 'operator', at, graceMilliseconds: 0 });
  if (decision.outcome !== 'moves') return;
  yield* moveStanding(queries, { id: accountId, from, to: decision.to, action: 'account.suspended', reason: DISPUTED }, { actor: SYSTEM_ACTOR, at });
}
