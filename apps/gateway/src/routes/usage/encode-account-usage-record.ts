import type { JsonObject, UsageRecord } from '@tollgate/core';
import { encodeChargeExplanation, encodeUsageRecord } from '@tollgate/wire-kit';

/** A usage record as its account may see it, which knows whose it is. */
export function encodeAccountUsageRecord(record: UsageRecord): JsonObject {
  return { id: record.requestId, object: 'usage_record', ...encodeUsageRecord(record) };
}

/** The same record with its charge worked out. */
export function encodeExplainedUsageRecord(record: UsageRecord): JsonObject {
  return { ...encodeAccountUsageRecord(record), charge: encodeChargeExplanation(record) };
}
