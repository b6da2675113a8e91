import type { JsonObject, UsageRecord } from '@tollgate/core';
import { encodeUsageRecord } from '@tollgate/wire-kit';

/** A usage record with the account that it belongs to, which an operator needs to be told. */
export function encodeOwnedUsageRecord(record: UsageRecord): JsonObject {
  return { account_id: record.accountId, ...encodeUsageRecord(record) };
}
