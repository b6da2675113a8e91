import { type RequestTransfer, rfc3339, type UsageReport } from '@tollgate/core';
import { encodeChargeExplanation } from './encode-charge-explanation.js';
import { encodeUsageRecord } from './encode-usage-record.js';

/** A usage record as its account may see it, which knows whose it is. */
export function encodeAccountUsageRecord(record: UsageReport) {
  return { id: record.requestId, object: 'usage_record' as const, ...encodeUsageRecord(record) };
}

/** A usage record as operators see it, with the account that it belongs to and the upstream that served. */
export function encodeOperatorUsageRecord(record: UsageReport) {
  return { id: record.requestId, object: 'usage_record' as const, account_id: record.accountId, ...encodeUsageRecord(record), upstream: record.service?.upstreamId ?? null };
}

function encodeTransfer({ kind, amount, reference, at }: RequestTransfer) {
  return { kind, amount: amount.toString(), reference, at: rfc3339(at) };
}

/** A record as one of the encoders above shows it, with its charge explained and what the ledger holds of it. */
export function withChargeExplanation<Encoded extends object>(encoded: Encoded, record: UsageReport, transfers: readonly RequestTransfer[]) {
  return { ...encoded, charge: encodeChargeExplanation(record), ledger: transfers.map(encodeTransfer) };
}
