import type { JsonObject, UsageRecord } from '@tollgate/core';
import { encodeChargeExplanation } from './encode-charge-explanation.js';
import { encodeUsageRecord } from './encode-usage-record.js';

/** A usage record as its account may see it, which knows whose it is. */
export function encodeAccountUsageRecord(record: UsageRecord): JsonObject {
  return { id: record.requestId, object: 'usage_record', ...encodeUsageRecord(record) };
}

/** A usage record as operators see it, with the account that it belongs to. */
export function encodeOperatorUsageRecord(record: UsageRecord): JsonObject {
  return { id: record.requestId, object: 'usage_record', account_id: record.accountId, ...encodeUsageRecord(record) };
}

/** A record as one of the encoders above shows it, with its charge explained. */
export function withChargeExplanation(encoded: JsonObject, record: UsageRecord): JsonObject {
  return { ...encoded, charge: encodeChargeExplanation(record) };
}
