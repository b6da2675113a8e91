import type { JsonObject, UsagePage, UsageRecord } from '@tollgate/core';

/** A page of usage records, each as `encode` shows it. */
export function encodeUsagePage({ records, nextCursor }: UsagePage, encode: (record: UsageRecord) => JsonObject): JsonObject {
  return { object: 'list', data: records.map(encode), has_more: nextCursor !== null, next_cursor: nextCursor };
}
