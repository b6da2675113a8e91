import type { UsagePage, UsageReport } from '@tollgate/core';
import { timeOrNull } from './time-or-null.js';

/** A page of usage records, each as `encode` shows it. */
export function encodeUsagePage<Encoded>({ records, nextCursor, searchedTo }: UsagePage, encode: (record: UsageReport) => Encoded) {
  return { object: 'list' as const, data: records.map(encode), has_more: nextCursor !== null, next_cursor: nextCursor, searched_to: timeOrNull(searchedTo) };
}
