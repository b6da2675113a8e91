import {
  type AccountId, type AuditedBy, type DuePayments, type Instant, later, MAX_PAYMENTS_PER_HOUR, MILLISECONDS_PER_HOUR, nextCheckAt, openedEvent, type Payment, type PaymentCounts, type PaymentDetail,
  type PaymentId, type PaymentPage, type PaymentQuery, type PaymentRecords, type PaymentRefundId, type PaymentState, type RefundRequestOutcome, type ReportedPayment, type StartedCheckout, stepAction, stepEvent,
  ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { appendEvent } from '../events/append-event.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { compilable, locking, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { adjustmentsOf, type Applying, applyReport } from './apply-report.js';
import { pendingRefunds } from './pending-refunds.js';
import { PAYMENT_COLUMNS, paymentFromRow, paymentToRow, REFUND_COLUMNS, refundFromRow } from './payment-rows.js';
import { recordRefund } from './record-refund.js';

type RefundRequest = Parameters<PaymentRecords['requestRefund']>[0];
type RefundAnswer = Parameters<PaymentRecords['refundAnswered']>[1];
type Claim = Parameters<PaymentRecords['claim']>[1];

const REFUNDABLE: readonly PaymentState[] = ['paid', 'partly-refunded', 'dispute-won', 'unbookable'];

/** Writing scripts run one after another, so no payment can change between their reads and their writes. */
export class SqlPaymentRecords implements PaymentRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  open(payment: Payment, by: AuditedBy): Promise<'opened' | 'too-many'> {
    return this.runner.write(() => this.insert(payment, by));
  }

  async started(id: PaymentId, { reference, url }: StartedCheckout): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.updateTable('payments').set({ reference: storableText(reference), url: storableText(url) }).where('id', '=', id).where('state', '=', 'open')));
  }

  find(id: PaymentId): Promise<PaymentDetail | null> {
    return this.runner.read(() => this.detail(id));
  }

  async findByReference(provider: string, reference: string): Promise<Payment | null> {
    const row = await this.runner.read(() => firstOf(this.all().where('provider', '=', provider).where('reference', '=', storableText(reference))));
    return row === null ? null : paymentFromRow(row);
  }

  list(query: PaymentQuery): Promise<PaymentPage> {
    return this.runner.read(() => this.page(query));
  }

  counts(): Promise<PaymentCounts> {
    return this.runner.read(() => this.count());
  }

  async customerOf(accountId: AccountId, provider: string): Promise<string | null> {
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('payments').select('customer').where('account_id', '=', accountId).where('provider', '=', provider)
      .where('customer', 'is not', null).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1)));
    return row?.customer ?? null;
  }

  /** Starts no writing transaction if no payment is due. */
  async claimDue(due: DuePayments): Promise<readonly Payment[]> {
    const first = await this.runner.read(() => firstOf(this.dueOf(due).limit(1)));
    return first === null ? [] : this.runner.write(() => this.takeDue(due));
  }

  async claim(id: PaymentId, { since, at }: Claim): Promise<boolean> {
    return await this.runner.write(() => changesOf(this.queries.updateTable('payments').set({ checked_at: at }).where('id', '=', id)
      .where((row) => row.or([row('checked_at', 'is', null), row('checked_at', '<=', BigInt(since))])))) > 0;
  }

  apply(id: PaymentId, report: ReportedPayment, applying: Applying): Promise<Payment | null> {
    return this.runner.write(() => applyReport(this.queries, { id, report }, applying));
  }

  abandon(id: PaymentId, at: Instant): Promise<void> {
    return this.runner.write(() => this.expire(id, at));
  }

  requestRefund(refund: RefundRequest, by: AuditedBy): Promise<RefundRequestOutcome> {
    return this.runner.write(() => this.insertRefund(refund, by));
  }

  requestCheck(id: PaymentId, by: AuditedBy): Promise<Payment | null> {
    return this.runner.write(() => this.auditCheck(id, by));
  }

  async refundAnswered(id: PaymentRefundId, answer: RefundAnswer): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.updateTable('payment_refunds').set(answer).where('id', '=', id).where('state', '=', 'requested')));
  }

  async unconfirmedRefunds(provider: string, requestedBefore: Instant, limit: number): ReturnType<PaymentRecords['unconfirmedRefunds']> {
    return this.runner.read(() => this.unconfirmed(provider, requestedBefore, limit));
  }

  private all() {
    return this.queries.selectFrom('payments').select(PAYMENT_COLUMNS);
  }

  private* byId(id: PaymentId): Script<Payment | null> {
    const row = yield* firstOf(this.all().where('id', '=', storableText(id)));
    return row === null ? null : paymentFromRow(row);
  }

  private* insert(payment: Payment, by: AuditedBy): Script<'opened' | 'too-many'> {
    const { queries } = this;
    yield* firstOf(locking(queries, queries.selectFrom('accounts').select('id').where('id', '=', payment.accountId)));
    const recent = yield* rowsOf(queries.selectFrom('payments').select('id').where('account_id', '=', payment.accountId)
      .where('created_at', '>', BigInt(later(by.at, -MILLISECONDS_PER_HOUR))).limit(MAX_PAYMENTS_PER_HOUR));
    if (recent.length >= MAX_PAYMENTS_PER_HOUR) return 'too-many';
    yield* changesOf(queries.insertInto('payments').values(paymentToRow(payment, nextCheckAt(payment, payment.createdAt))));
    const event = openedEvent(payment);
    yield* appendEvent(queries, event);
    yield* appendAuditEntry(queries, { ...by, action: 'payment.opened', subject: payment.id, accountId: payment.accountId, details: event.data });
    return 'opened';
  }

  private* detail(id: PaymentId): Script<PaymentDetail | null> {
    const payment = yield* this.byId(id);
    if (payment === null) return null;
    const refunds = yield* rowsOf(this.queries.selectFrom('payment_refunds').select(REFUND_COLUMNS).where('payment_id', '=', id).orderBy('requested_at').orderBy('id'));
    return { payment, adjustments: yield* adjustmentsOf(this.queries, id), requestedRefunds: refunds.map(refundFromRow) };
  }

  private* page({ limit, after, accountId, state, provider, start, end, isUncovered }: PaymentQuery): Script<PaymentPage> {
    let newest = this.all().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit + 1);
    if (accountId !== null) newest = newest.where('account_id', '=', storableText(accountId));
    if (state !== null) newest = newest.where('state', '=', state);
    if (provider !== null) newest = newest.where('provider', '=', storableText(provider));
    if (start !== null) newest = newest.where('created_at', '>=', BigInt(start));
    if (end !== null) newest = newest.where('created_at', '<', BigInt(end));
    if (isUncovered) newest = newest.where('uncovered', '>', 0n);
    if (after !== null) {
      newest = newest.where((row) => row(row.refTuple('created_at', 'id'), '<',
        row.selectFrom('payments as last').select(['last.created_at', 'last.id']).where('last.id', '=', storableText(after)).$asTuple('created_at', 'id')));
    }
    const rows = yield* rowsOf(newest);
    const payments = rows.slice(0, limit).map(paymentFromRow);
    return { payments, next: rows.length > limit ? payments.at(-1)?.id ?? null : null };
  }

  private* count(): Script<PaymentCounts> {
    const row = yield* firstOf(compilable(this.queries, sql<Record<keyof PaymentCounts, bigint>>`select
      (select count(*) from payments where state = 'open') as "open",
      (select count(*) from payments where state = 'unbookable') as "unbookable",
      (select count(*) from payments where uncovered > 0) as "uncovered"`));
    return { open: Number(row?.open ?? 0), unbookable: Number(row?.unbookable ?? 0), uncovered: Number(row?.uncovered ?? 0) };
  }

  private dueOf({ provider, at }: DuePayments) {
    return this.all().where('provider', '=', provider).where('next_check_at', '<=', BigInt(at)).orderBy('next_check_at').orderBy('id');
  }

  private* takeDue(due: DuePayments): Script<readonly Payment[]> {
    const { at, limit } = due;
    const rows = yield* rowsOf(locking(this.queries, this.dueOf(due).limit(limit)));
    const payments = rows.map(paymentFromRow);
    for (const payment of payments) {
      yield* changesOf(this.queries.updateTable('payments').set({ next_check_at: nextCheckAt({ ...payment, awaitsRefund: (yield* pendingRefunds(this.queries, payment.id)) > 0n }, at) }).where('id', '=', payment.id));
    }
    return payments;
  }

  private* expire(id: PaymentId, at: Instant): Script<void> {
    const payment = yield* this.byId(id);
    if (payment === null) return;
    const { queries } = this;
    yield* firstOf(locking(queries, queries.selectFrom('accounts').select('id').where('id', '=', payment.accountId)));
    const expired = yield* changesOf(queries.updateTable('payments').set({ state: 'expired', changed_at: at, next_check_at: null })
      .where('id', '=', id).where('state', '=', 'open').where('reference', 'is', null).where('origin', '=', 'checkout'));
    if (expired === 0) return;
    const event = stepEvent(payment, { step: 'expired' }, { uncovered: ServiceTokens.ZERO, at });
    yield* appendEvent(queries, event);
    yield* appendAuditEntry(queries, { actor: SYSTEM_ACTOR, at, action: stepAction({ step: 'expired' }), subject: id, accountId: payment.accountId, details: event.data });
  }

  private* insertRefund({ id, paymentId, amount, reason }: RefundRequest, by: AuditedBy): Script<RefundRequestOutcome> {
    const { queries } = this;
    const row = yield* firstOf(locking(queries, this.all().where('id', '=', storableText(paymentId))));
    if (row === null) return { outcome: 'no-such-payment' };
    const payment = paymentFromRow(row);
    if (!REFUNDABLE.includes(payment.state)) return { outcome: 'not-refundable' };
    const refundable = payment.amount - payment.refunded - (yield* pendingRefunds(queries, paymentId));
    const asked = amount ?? refundable;
    if (asked <= 0n || asked > refundable) return { outcome: 'exceeds-payment', refundable: refundable > 0n ? refundable : 0n };
    return { outcome: 'requested', payment, refund: yield* recordRefund(queries, { id, amount: asked, payment, reason }, by) };
  }

  private* auditCheck(id: PaymentId, by: AuditedBy): Script<Payment | null> {
    const payment = yield* this.byId(id);
    if (payment !== null) yield* appendAuditEntry(this.queries, { ...by, action: 'payment.check-requested', subject: id, accountId: payment.accountId, details: {} });
    return payment;
  }

  private* unconfirmed(provider: string, requestedBefore: Instant, limit: number): Script<Awaited<ReturnType<PaymentRecords['unconfirmedRefunds']>>> {
    const rows = yield* rowsOf(this.queries.selectFrom('payment_refunds').select(REFUND_COLUMNS).where('state', '=', 'requested').where('requested_at', '<=', BigInt(requestedBefore))
      .where('payment_id', 'in', this.queries.selectFrom('payments').select('id').where('provider', '=', provider)).orderBy('requested_at').orderBy('id').limit(limit));
    const found: { refund: ReturnType<typeof refundFromRow>; payment: Payment }[] = [];
    for (const refund of rows.map(refundFromRow)) {
      const payment = yield* this.byId(refund.paymentId);
      if (payment !== null) found.push({ refund, payment });
    }
    return found;
  }
}
