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

/**
 * One server-sent event. `json` is the one line that `JSON.stringify` writes: it escapes every line break,
 * so that no text of a model or a client can end a frame early. `event` is a name of ours, or `null` for none.
 */
export function sseFrame(event: string | null, json: string): string {
  return event === null ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;
}
