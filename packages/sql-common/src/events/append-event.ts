import { randomUUID } from 'node:crypto';
import { type EventId, invariant, type NewEvent } from '@tollgate/core';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

export function eventId(): EventId {
  return `evt_${randomUUID().replaceAll('-', '')}` as EventId;
}

/**
 * Stores an event in the transaction of the change that it reports. Locks the account's row, so that the numbers of its events follow the order of
 * commits.
 */
export function* appendEvent(queries: Queries, { type, accountId, at, data }: NewEvent): Script<void> {
  const account = accountId === null ? null : yield* firstOf(queries.updateTable('accounts')
    .set((row) => ({ event_sequence: row('event_sequence', '+', 1n) })).where('id', '=', accountId).returning(['event_sequence', 'external_id']));
  invariant(accountId === null || account !== null, 'an event is of an account that exists');
  yield* changesOf(queries.insertInto('events').values({
    id: eventId(), type, account_id: accountId, external_id: account?.external_id ?? null, account_sequence: account?.event_sequence ?? null,
    occurred_at: at, data: JSON.stringify(data), position: null,
  }));
}
