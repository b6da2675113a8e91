import { type AuditedBy, later, MILLISECONDS_PER_MINUTE, type Payment, type RequestedRefund } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

interface RecordedRefund extends Pick<RequestedRefund, 'id' | 'amount'> {
  readonly payment: Payment;
  /** Given by the operator; `null` for a refund of the gateway's own. */
  readonly reason: string | null;
}

/** Stores the request of a refund, which the reconciler carries out; once for each id. The caller must have locked the payment. */
export function* recordRefund(queries: Queries, { id, amount, payment, reason }: RecordedRefund, by: AuditedBy): Script<RequestedRefund> {
  const paymentId = payment.id;
  const request: RequestedRefund = { id, paymentId, amount, state: 'requested', reference: null, requestedAt: by.at };
  const added = yield* changesOf(queries.insertInto('payment_refunds').values({ id, payment_id: paymentId, amount, state: 'requested', reference: null, requested_at: by.at })
    .onConflict((conflict) => conflict.column('id').doNothing()));
  if (added === 0) return request;
  // The provider is asked about an old payment too, so that the refund is booked even if its notification is lost.
  yield* changesOf(queries.updateTable('payments').set({ next_check_at: later(by.at, MILLISECONDS_PER_MINUTE) }).where('id', '=', paymentId));
  yield* appendAuditEntry(queries, { ...by, action: 'payment.refund-requested', subject: paymentId, accountId: payment.accountId, details: { refundId: id, amount: amount.toString() }, texts: { reason } });
  return request;
}
