import type { JsonObject, UsageReport } from '@tollgate/core';
import { encodeUsageRecord } from '@tollgate/wire-kit';

/** A usage record with the account that it belongs to and the upstream that served, which an operator needs to be told. */
export function encodeOwnedUsageRecord(record: UsageReport): JsonObject {
  return { account_id: record.accountId, ...encodeUsageRecord(record), upstream: record.service?.upstreamId ?? null };
}
