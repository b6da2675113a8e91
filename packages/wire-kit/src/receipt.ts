import { availableOf, type Settlement } from '@tollgate/core';
import { PENDING_SETTLEMENT } from './response-headers.js';

/** Amounts as decimal strings, in every format. */
export interface ChargeFields {
  readonly svc_tokens_debited: string;
  readonly svc_cost_usd: string;
  /** The settlement is queued; at most this is booked. */
  readonly svc_settlement?: typeof PENDING_SETTLEMENT;
}

/** Fields in the stream itself, because its headers precede these figures. */
export interface StreamReceiptFields extends ChargeFields {
  /** Available balance after the request; absent while the settlement is pending. */
  readonly svc_balance_tokens?: string;
  readonly svc_fallback_used: boolean;
}

export function encodeCharge(settlement: Settlement): ChargeFields {
  const charged = { svc_tokens_debited: settlement.charge.amount.toString(), svc_cost_usd: settlement.charge.usd.toString() };
  return settlement.balance === null ? { ...charged, svc_settlement: PENDING_SETTLEMENT } : charged;
}

export function encodeStreamReceipt(settlement: Settlement, fallbackUsed: boolean): StreamReceiptFields {
  return {
    ...encodeCharge(settlement),
    ...(settlement.balance === null ? {} : { svc_balance_tokens: availableOf(settlement.balance).toString() }),
    svc_fallback_used: fallbackUsed,
  };
}
