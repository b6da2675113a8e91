import type { UsageRecord } from '@tollgate/core';
import { encodeChargeExplanation } from './encode-charge-explanation.js';
import { encodeUsageRecord } from './encode-usage-record.js';

/** A usage record as its account may see it, which knows whose it is. */
export function encodeAccountUsageRecord(record: UsageRecord) {
  return { id: record.requestId, object: 'usage_record' as const, ...encodeUsageRecord(record) };
}

/** A usage record as operators see it, with the account that it belongs to. */
export function encodeOperatorUsageRecord(record: UsageRecord) {
  return { id: record.requestId, object: 'usage_record' as const, account_id: record.accountId, ...encodeUsageRecord(record) };
}

/** A record as one of the encoders above shows it, with its charge explained. */
export function withChargeExplanation<Encoded extends object>(encoded: Encoded, record: UsageRecord) {
  return { ...encoded, charge: encodeChargeExplanation(record) };
}
