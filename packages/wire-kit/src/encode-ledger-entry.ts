import { type BookedMoneyAct, type RefundEntry, type RequestEntry, type RequestTransfer, rfc3339 } from '@tollgate/core';

/** The entry of a request as the account's owner sees it. */
export function encodeTransfer({ kind, amount, reference, at }: RequestTransfer) {
  return { kind, amount: amount.toString(), reference, at: rfc3339(at) };
}

/** The entry of a request as operators see it: with number, debited and credited account, and the balance after it. */
export function encodeRequestEntry(entry: RequestEntry) {
  return { ...encodeSides(entry), ...encodeTransfer({ ...entry, reference: null }), day: entry.day };
}

/** The refund of a request as operators see it. */
export function encodeRefund(entry: RefundEntry) {
  return { ...encodeSides(entry), ...encodeTransfer({ ...entry, kind: 'refund' }), reason: entry.reason };
}

function encodeSides({ number, debit, credit, balanceAfter }: RequestEntry | RefundEntry) {
  return { entry: number, from: debit, to: credit, balance_after: balanceAfter.toString() };
}

/** An act of money as operators see it. `svc_tokens` is negative if it lowered the balance. */
export function encodeMoneyAct({ kind, amount, requestId, reference, reason, at }: BookedMoneyAct) {
  return { object: 'money_act' as const, kind, svc_tokens: amount.toString(), request_id: requestId, reference, reason, at: rfc3339(at) };
}
