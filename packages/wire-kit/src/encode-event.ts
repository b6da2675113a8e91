import { type AccountEvent, type EventPage, rfc3339 } from '@tollgate/core';

/** The event as operators and their machines see it. `data` contains ids, words from fixed lists, and decimal strings. */
export function encodeEvent({ id, type, accountId, externalId, accountSequence, at, data }: AccountEvent) {
  return {
    object: 'event' as const, id, type, account_id: accountId, external_id: externalId, account_sequence: accountSequence, occurred_at: rfc3339(at), data,
  };
}

/** A page of the event feed. `next_cursor` is `null` only while the feed is empty. */
export function encodeEventPage({ events, hasMore, nextCursor }: EventPage) {
  return { object: 'list' as const, data: events.map(encodeEvent), has_more: hasMore, next_cursor: nextCursor };
}
