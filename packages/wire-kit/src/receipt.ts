import { availableOf, type Settlement } from '@tollgate/core';

/** What a request was charged, as both formats write it: decimal strings. */
export interface ChargeFields {
  readonly svc_tokens_debited: string;
  readonly svc_cost_usd: string;
}

/** What the end of a stream adds, since its headers left before these were known. */
export interface StreamReceiptFields extends ChargeFields {
  /** Available balance after the request. */
  readonly svc_balance_tokens: string;
  readonly svc_fallback_used: boolean;
}

export function encodeCharge(settlement: Settlement): ChargeFields {
  return { svc_tokens_debited: settlement.charge.amount.toString(), svc_cost_usd: settlement.charge.usd.toString() };
}

export function encodeStreamReceipt(settlement: Settlement, fallbackUsed: boolean): StreamReceiptFields {
  return {
    ...encodeCharge(settlement),
    svc_balance_tokens: availableOf(settlement.balance).toString(),
    svc_fallback_used: fallbackUsed,
  };
}
