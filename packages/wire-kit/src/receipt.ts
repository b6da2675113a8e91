import { availableOf, type Settlement } from '@tollgate/core';
import { PENDING_SETTLEMENT } from './response-headers.js';

/** The charge of a request, in every format; amounts are decimal strings. */
export interface ChargeFields {
  readonly svc_tokens_debited: string;
  readonly svc_cost_usd: string;
  /** Present while the settlement is queued; the amount finally booked may be lower. */
  readonly svc_settlement?: typeof PENDING_SETTLEMENT;
}

/** Receipt in a stream, whose headers precede these figures. */
export interface StreamReceiptFields extends ChargeFields {
  /** Available balance after the request; absent while the settlement is queued. */
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
