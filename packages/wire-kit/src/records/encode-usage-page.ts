import type { UsagePage, UsageRecord } from '@tollgate/core';

/** A page of usage records, each as `encode` shows it. */
export function encodeUsagePage<Encoded>({ records, nextCursor }: UsagePage, encode: (record: UsageRecord) => Encoded) {
  return { object: 'list' as const, data: records.map(encode), has_more: nextCursor !== null, next_cursor: nextCursor };
}
