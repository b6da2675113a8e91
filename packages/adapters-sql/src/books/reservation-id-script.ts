import type { ReservationId } from '@tollgate/core';
import { decodeFacts } from '../ledger/reservation-json.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';

/** A request that runs is named in its reservation's facts alone; there are never many of them. */
function* ofRunning(queries: Queries, requestId: string): Script<string | null> {
  const held = yield* rowsOf(queries.selectFrom('reservations').select(['id', 'facts']).where('state', '=', 'held'));
  return held.find(({ facts }) => decodeFacts(facts).requestId === requestId)?.id ?? null;
}

/** The reservation of a request; where its usage record is lost, what is left of it in the ledger still tells. */
export function* reservationIdOf(queries: Queries, id: string): Script<ReservationId | null> {
  const recorded = yield* firstOf(queries.selectFrom('usage_records').select('reservation_id')
    .where((record) => record.or([record('request_id', '=', id), record('reservation_id', '=', id)])));
  if (recorded !== null) return recorded.reservation_id as ReservationId;
  const reserved = yield* firstOf(queries.selectFrom('reservations').select('id').where('id', '=', id));
  const running = reserved?.id ?? (yield* ofRunning(queries, id));
  if (running !== null) return running as ReservationId;
  const entry = yield* firstOf(queries.selectFrom('ledger_entries').select('reservation_id').where('request_id', '=', id).limit(1));
  return (entry?.reservation_id ?? null) as ReservationId | null;
}
