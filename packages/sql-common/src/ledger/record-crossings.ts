import { type BookingSource, type AmountChange, crossingEvents, type EffectiveAlerts, invariant } from '@tollgate/core';
import { firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { alertsFromRow } from './alert-rows.js';
import { appendEvent } from '../events/append-event.js';

function* alertsOf(queries: Queries, { accountId }: BookingSource): Script<EffectiveAlerts> {
  const row = yield* firstOf(queries.selectFrom('accounts').select(['low_alerts', 'exhausted_below']).where('id', '=', accountId));
  invariant(row !== null, 'what was booked belongs to an account');
  return alertsFromRow(row);
}

/** Stores an event for each threshold that a booking crossed, in its transaction. `change` has the posted balances. */
export function* recordCrossings(queries: Queries, source: BookingSource, change: AmountChange): Script<void> {
  for (const event of crossingEvents(source, change, yield* alertsOf(queries, source))) yield* appendEvent(queries, event);
}
