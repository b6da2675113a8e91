import { type BookingSource, type AmountChange, crossingEvents, crossingsOf, invariant, ServiceTokens } from '@tollgate/core';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { type AlertColumns, alertsFromRow } from './alert-rows.js';
import { appendEvent } from '../events/append-event.js';

type WatchedColumns = Omit<AlertColumns, 'alert_below'>;

function* alertsOf(queries: Queries, { accountId }: BookingSource): Script<WatchedColumns> {
  const row = yield* firstOf(queries.selectFrom('accounts').select(['low_alerts', 'exhausted_below', 'top_up_below']).where('id', '=', accountId));
  invariant(row !== null, 'what was booked belongs to an account');
  return row;
}

/** `change` is the change of the posted balance. `watched` must have been read in the transaction of the booking. */
export interface BookingCrossings {
  readonly source: BookingSource;
  readonly change: AmountChange;
  readonly watched: WatchedColumns;
}

/**
 * Stores an event for each threshold that a booking crossed, in the transaction of the booking. If it crossed the threshold of automatic top-up, also
 * makes a top-up due, unless one is due already.
 */
export function* storeCrossings(queries: Queries, { source, change, watched }: BookingCrossings): Script<void> {
  for (const event of crossingEvents(source, change, alertsFromRow(watched))) yield* appendEvent(queries, event);
  if (crossingsOf(change, [ServiceTokens.fromUnits(watched.top_up_below)]).length === 0) return;
  yield* changesOf(queries.updateTable('automatic_top_ups').set({ due_at: source.at, waits_for: null }).where('account_id', '=', source.accountId).where('enabled', '=', 1n).where('due_at', 'is', null));
}

/** Like `storeCrossings`, but reads the thresholds itself. */
export function* recordCrossings(queries: Queries, source: BookingSource, change: AmountChange): Script<void> {
  yield* storeCrossings(queries, { source, change, watched: yield* alertsOf(queries, source) });
}
