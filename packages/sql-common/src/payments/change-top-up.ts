import {
  type AccountId, type Instant, type Payment, type PaymentStep, progressAfter, SYSTEM_ACTOR, topUpDeclinedEvent, type TopUpStop, topUpStoppedEvent,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { appendEvent } from '../events/append-event.js';
import { refreshAlerts } from '../ledger/refresh-alerts.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

export interface TopUpSubject {
  readonly accountId: AccountId;
  readonly at: Instant;
}

/** Sets the threshold with which bookings compare the balance. Zero turns automatic top-up off. */
export function* watchTopUp(queries: Queries, accountId: AccountId, threshold: bigint): Script<void> {
  yield* changesOf(queries.updateTable('accounts').set({ top_up_below: threshold }).where('id', '=', accountId));
  yield* refreshAlerts(queries, accountId);
}

/** While a charge is in progress, the account stays due: an interrupted one is repeated, so that it is booked if it was made. */
export function* dueAfterStop(queries: Queries, accountId: AccountId): Script<{ readonly due_at?: null }> {
  const open = yield* firstOf(queries.selectFrom('payments').select('id').where('account_id', '=', accountId).where('origin', '=', 'top-up').where('state', '=', 'open').limit(1));
  return open === null ? { due_at: null } : {};
}

/** Stops automatic top-up, if it is on. The caller must have locked the account. */
export function* stopTopUp(queries: Queries, { accountId, at, payment, reason }: TopUpSubject & { readonly payment: Payment | null; readonly reason: TopUpStop }): Script<void> {
  const stopped = yield* changesOf(queries.updateTable('automatic_top_ups').set({ enabled: 0n, ...yield* dueAfterStop(queries, accountId), waits_for: null, stop_reason: reason, stopped_at: at })
    .where('account_id', '=', accountId).where('enabled', '=', 1n));
  if (stopped === 0) return;
  yield* watchTopUp(queries, accountId, 0n);
  yield* appendEvent(queries, topUpStoppedEvent({ accountId, paymentId: payment?.id ?? null, at }, reason));
  yield* appendAuditEntry(queries, { actor: SYSTEM_ACTOR, at, action: 'account.changed', subject: accountId, accountId, details: { automaticTopUp: { enabled: false, reason } } });
}

/** Updates automatic top-up after steps of a payment. Must be called in their transaction, under the account's lock. */
export function* followCharge(queries: Queries, { payment, steps }: { readonly payment: Payment; readonly steps: readonly PaymentStep['step'][] }, at: Instant): Script<void> {
  const { accountId, origin } = payment;
  const row = steps.length === 0 ? null : yield* firstOf(queries.selectFrom('automatic_top_ups').select(['declines']).where('account_id', '=', accountId).where('enabled', '=', 1n));
  if (row === null) return;
  const progress = progressAfter(steps, { origin, declines: Number(row.declines) }, at);
  if (progress === null) return;
  if (progress.progress === 'stop') return yield* stopTopUp(queries, { accountId, at, payment, reason: progress.reason });
  const change = progress.progress === 'declined' ? { declines: BigInt(progress.declines), due_at: progress.until, waits_for: 'declined' } : { declines: 0n, due_at: at, waits_for: null };
  yield* changesOf(queries.updateTable('automatic_top_ups').set(change).where('account_id', '=', accountId));
  if (progress.progress === 'declined') yield* appendEvent(queries, topUpDeclinedEvent({ accountId, paymentId: payment.id, at }, progress));
}
