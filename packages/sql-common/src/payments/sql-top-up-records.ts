import {
  type AccountId, assertNever, type AuditedBy, type ChosenTopUp, currencyDecimal, decideTopUp, type Instant, later, MAX_PROVIDER_REQUEST_MILLISECONDS, nextCheckAt, openedEvent, parseUtcDay, type Payment, type PaymentId, type SavedMethod, ServiceTokens, startOfUtcDay,
  stepAction, stepEvent, SYSTEM_ACTOR, type TopUpAttempt, topUpAuthenticationEvent, type TopUpCharge, type TopUpCharges, type TopUpDecision, type TopUpOverview, type TopUpRecords,
  type TopUpSettings, utcMonthOf,
} from '@tollgate/core';
import { sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { appendEvent } from '../events/append-event.js';
import { flagFromColumn } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { compilable, locking, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { dueAfterStop, stopTopUp, watchTopUp } from './change-top-up.js';
import { PAYMENT_COLUMNS, paymentFromRow, paymentToRow } from './payment-rows.js';
import { settingsToColumns, TOP_UP_COLUMNS, topUpFromRow } from './top-up-rows.js';

type OverviewContext = Parameters<TopUpRecords['overview']>[1];
type Accepted = Parameters<TopUpRecords['accepted']>[1];

/** Every change locks the account first, as bookings do. */
export class SqlTopUpRecords implements TopUpRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  overview(accountId: AccountId, context: OverviewContext): Promise<TopUpOverview> {
    return this.runner.read(() => this.view(accountId, context));
  }

  enable(accountId: AccountId, chosen: ChosenTopUp, by: AuditedBy): Promise<'enabled' | 'no-method' | 'no-account'> {
    return this.runner.write(() => this.switchOn(accountId, chosen, by));
  }

  disable(accountId: AccountId, by: AuditedBy): Promise<void> {
    return this.runner.write(() => this.switchOff(accountId, by));
  }

  due(at: Instant, limit: number): Promise<readonly AccountId[]> {
    return this.runner.read(() => this.dueAccounts(at, limit));
  }

  begin(accountId: AccountId, attempt: TopUpAttempt): Promise<TopUpCharge | null> {
    return this.runner.write(() => this.advance(accountId, attempt));
  }

  accepted(id: PaymentId, charge: Accepted, at: Instant): Promise<void> {
    return this.runner.write(() => this.noteAccepted(id, charge, at));
  }

  refused(id: PaymentId, at: Instant): Promise<void> {
    return this.runner.write(() => this.noteRefused(id, at));
  }

  private* view(accountId: AccountId, { provider, at }: OverviewContext): Script<TopUpOverview> {
    const row = yield* this.rowOf(accountId);
    const lastCharge = yield* firstOf(this.chargesOf(accountId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1));
    return {
      topUp: row === null ? null : topUpFromRow(row), charges: row === null ? { today: 0, thisMonth: 0n } : yield* this.countCharges(accountId, row.currency, at),
      lastCharge: lastCharge === null ? null : paymentFromRow(lastCharge), hasMethod: (yield* this.savedMethod(accountId, provider)) !== null,
    };
  }

  private* switchOn(accountId: AccountId, { settings, provider }: ChosenTopUp, by: AuditedBy): Script<'enabled' | 'no-method' | 'no-account'> {
    const { queries } = this;
    const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select('balance').where('id', '=', accountId).where('status', '<>', 'deleted')));
    if (account === null) return 'no-account';
    if (yield* this.isOnAs(accountId, settings)) return 'enabled';
    if ((yield* this.savedMethod(accountId, provider)) === null) return 'no-method';
    const isOpen = (yield* this.openCharge(accountId)) !== null;
    const columns = {
      ...settingsToColumns(settings), enabled: 1n, due_at: isOpen || account.balance < settings.threshold.toUnits() ? by.at : null, waits_for: null, declines: 0n, stop_reason: null, stopped_at: null,
    };
    yield* changesOf(queries.insertInto('automatic_top_ups').values({ account_id: accountId, ...columns }).onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns)));
    yield* watchTopUp(queries, accountId, columns.threshold);
    const { threshold, packageId, tokens, maxPerDay, amount, monthlyAmount, currency } = settings;
    const automaticTopUp = {
      enabled: true, threshold: threshold.toString(), packageId, tokens: tokens.toString(), amount: currencyDecimal({ amount, currency }), currency, maxPerDay, monthlyAmount: currencyDecimal({ amount: monthlyAmount, currency }),
    };
    yield* appendAuditEntry(queries, { ...by, action: 'account.changed', subject: accountId, accountId, details: { automaticTopUp } });
    return 'enabled';
  }

  /**
   * True if automatic top-up is on with these settings. Saving the same settings has no effect, so that it does not end the wait after a declined
   * charge.
   */
  private* isOnAs(accountId: AccountId, settings: TopUpSettings): Script<boolean> {
    const row = yield* this.rowOf(accountId);
    if (row === null || row.enabled === 0n) return false;
    return Object.entries(settingsToColumns(settings)).every(([column, value]) => row[column as keyof typeof row] === value);
  }

  private* switchOff(accountId: AccountId, by: AuditedBy): Script<void> {
    const { queries } = this;
    yield* firstOf(locking(queries, queries.selectFrom('accounts').select('id').where('id', '=', accountId)));
    const off = yield* changesOf(queries.updateTable('automatic_top_ups').set({ enabled: 0n, waits_for: null, ...yield* dueAfterStop(queries, accountId) }).where('account_id', '=', accountId).where('enabled', '=', 1n));
    if (off === 0) return;
    yield* watchTopUp(queries, accountId, 0n);
    yield* appendAuditEntry(queries, { ...by, action: 'account.changed', subject: accountId, accountId, details: { automaticTopUp: { enabled: false } } });
  }

  private* dueAccounts(at: Instant, limit: number): Script<readonly AccountId[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('automatic_top_ups').select('account_id').where('due_at', '<=', BigInt(at)).orderBy('due_at').orderBy('account_id').limit(limit));
    return rows.map(({ account_id: id }) => id as AccountId);
  }

  /** Decides again under the account's lock, because another process may have handled the account meanwhile. */
  private* advance(accountId: AccountId, attempt: TopUpAttempt): Script<TopUpCharge | null> {
    const { queries } = this;
    const { at, offer, provider } = attempt;
    const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select(['balance', 'status', 'blocked', 'email_verified']).where('id', '=', accountId)));
    const row = yield* this.rowOf(accountId);
    if (account === null || row?.due_at === undefined || row.due_at === null || row.due_at > BigInt(at)) return null;
    const decision = decideTopUp({
      topUp: topUpFromRow(row), balance: ServiceTokens.fromUnits(account.balance), provider, offer,
      isServed: account.status === 'active' && !flagFromColumn(account.blocked) && flagFromColumn(account.email_verified),
      openCharge: yield* this.openCharge(accountId), charges: yield* this.countCharges(accountId, row.currency, at), method: yield* this.savedMethod(accountId, provider),
    }, at);
    return yield* this.carryOut(accountId, decision, attempt);
  }

  private* carryOut(accountId: AccountId, decision: TopUpDecision, attempt: TopUpAttempt): Script<TopUpCharge | null> {
    const { at } = attempt;
    switch (decision.decision) {
      case 'done': yield* this.wait(accountId, null, null); return null;
      case 'wait': yield* this.wait(accountId, decision.until, decision.waitsFor); return null;
      case 'stop': yield* stopTopUp(this.queries, { accountId, at, payment: null, reason: decision.reason }); return null;
      case 'give-up':
        yield* this.end(decision.payment, 'expired', at);
        yield* this.wait(accountId, null, null);
        yield* stopTopUp(this.queries, { accountId, at, payment: decision.payment, reason: 'unconfirmed' });
        return null;
      case 'charge': case 'repeat': {
        yield* this.wait(accountId, later(at, MAX_PROVIDER_REQUEST_MILLISECONDS), 'charge');
        const { method } = decision;
        return { method, payment: decision.decision === 'repeat' ? decision.payment : yield* this.open(accountId, decision, attempt) };
      }
      default: return assertNever(decision);
    }
  }

  private* wait(accountId: AccountId, until: Instant | null, waitsFor: string | null): Script<void> {
    yield* changesOf(this.queries.updateTable('automatic_top_ups').set({ due_at: until, waits_for: waitsFor }).where('account_id', '=', accountId));
  }

  private* open(accountId: AccountId, { purchase: { amount, currency, tokens, packageId, creditExpiresAfterDays = null }, method }: Extract<TopUpDecision, { decision: 'charge' }>, { paymentId, provider, at }: TopUpAttempt): Script<Payment> {
    const { queries } = this;
    const payment: Payment = {
      id: paymentId, accountId, provider, amount, currency, tokens, packageId, creditExpiresAfterDays, ...method, reference: null, origin: 'top-up', state: 'open', problem: null, savesMethod: true, bookedAt: null, refunded: 0n,
      uncovered: ServiceTokens.ZERO, invoiceUrl: null, url: null, createdAt: at, changedAt: at, checkedAt: null,
    };
    yield* changesOf(queries.insertInto('payments').values(paymentToRow(payment, nextCheckAt(payment, at))));
    const event = openedEvent(payment);
    yield* appendEvent(queries, event);
    yield* appendAuditEntry(queries, { actor: SYSTEM_ACTOR, at, action: 'payment.opened', subject: payment.id, accountId, details: event.data });
    return payment;
  }

  /** Stores the first answer to a charge. Repetitions of the charge get the same answer. */
  private* noteAccepted(id: PaymentId, { reference, url }: Accepted, at: Instant): Script<void> {
    const payment = yield* this.lockUnanswered(id);
    if (payment === null) return;
    yield* changesOf(this.queries.updateTable('payments').set({ reference: storableText(reference), url: storableTextOrNull(url) }).where('id', '=', id));
    if (url === null) return;
    yield* changesOf(this.queries.updateTable('automatic_top_ups').set({ waits_for: 'authentication' }).where('account_id', '=', payment.accountId));
    yield* appendEvent(this.queries, topUpAuthenticationEvent({ accountId: payment.accountId, paymentId: id, at }));
  }

  private* noteRefused(id: PaymentId, at: Instant): Script<void> {
    const payment = yield* this.lockUnanswered(id);
    if (payment === null) return;
    yield* this.end(payment, 'failed', at);
    yield* this.wait(payment.accountId, null, null);
    yield* stopTopUp(this.queries, { accountId: payment.accountId, at, payment, reason: 'no-method' });
  }

  /** Locks the account, and reads the charge. Returns `null` if its answer is already stored. */
  private* lockUnanswered(id: PaymentId): Script<Payment | null> {
    const { queries } = this;
    const owner = yield* firstOf(queries.selectFrom('payments').select('account_id').where('id', '=', storableText(id)));
    if (owner === null) return null;
    yield* firstOf(locking(queries, queries.selectFrom('accounts').select('id').where('id', '=', owner.account_id)));
    const row = yield* firstOf(queries.selectFrom('payments').select(PAYMENT_COLUMNS).where('id', '=', id).where('state', '=', 'open').where('reference', 'is', null).where('origin', '=', 'top-up'));
    return row === null ? null : paymentFromRow(row);
  }

  /** Ends a charge without a reference, which reports of the provider cannot end. */
  private* end(payment: Payment, step: 'failed' | 'expired', at: Instant): Script<void> {
    const { queries } = this;
    yield* changesOf(queries.updateTable('payments').set({ state: step, changed_at: at, next_check_at: null }).where('id', '=', payment.id).where('state', '=', 'open'));
    const event = stepEvent(payment, { step }, { uncovered: ServiceTokens.ZERO, at });
    yield* appendEvent(queries, event);
    yield* appendAuditEntry(queries, { actor: SYSTEM_ACTOR, at, action: stepAction({ step }), subject: payment.id, accountId: payment.accountId, details: event.data });
  }

  private rowOf(accountId: AccountId) {
    return firstOf(this.queries.selectFrom('automatic_top_ups').select(TOP_UP_COLUMNS).where('account_id', '=', storableText(accountId)));
  }

  private chargesOf(accountId: AccountId) {
    return this.queries.selectFrom('payments').select(PAYMENT_COLUMNS).where('account_id', '=', storableText(accountId)).where('origin', '=', 'top-up');
  }

  private* openCharge(accountId: AccountId): Script<Payment | null> {
    const row = yield* firstOf(this.chargesOf(accountId).where('state', '=', 'open'));
    return row === null ? null : paymentFromRow(row);
  }

  /** Number of the day's charges, and amount of the month's in this currency, except declined and expired ones, which took no money. */
  private* countCharges(accountId: AccountId, currency: string, at: Instant): Script<TopUpCharges> {
    const [day, month] = [startOfUtcDay(at), parseUtcDay(`${utcMonthOf(at)}-01`) ?? startOfUtcDay(at)];
    const row = yield* firstOf(compilable(this.queries, sql<{ today: bigint; month: bigint }>`select
      cast(coalesce(sum(case when created_at >= ${BigInt(day)} then 1 else 0 end), 0) as bigint) as "today",
      cast(coalesce(sum(case when currency = ${currency} then amount else 0 end), 0) as bigint) as "month"
      from payments where account_id = ${accountId} and origin = 'top-up' and created_at >= ${BigInt(month)} and state not in ('failed', 'expired')`));
    return { today: Number(row?.today ?? 0), thisMonth: BigInt(row?.month ?? 0) };
  }

  private* savedMethod(accountId: AccountId, provider: string): Script<SavedMethod | null> {
    const row = yield* firstOf(this.queries.selectFrom('payments').select(['customer', 'method']).where('account_id', '=', storableText(accountId)).where('provider', '=', storableText(provider))
      .where('customer', 'is not', null).where('method', 'is not', null).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1));
    return row === null || row.customer === null || row.method === null ? null : { customer: row.customer, method: row.method };
  }
}
