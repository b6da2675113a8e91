import { type Booked, endingOfOrphan, type Instant, invariant } from '@tollgate/core';
import { reservationFromRow, type ReservationRow } from '@tollgate/sql-common';
import { settle } from './settle.js';
import type { SettlementStatements } from './statements.js';

/** Settles a reservation at its checkpoint. `row` must have been read in this transaction. */
export function settleOrphan(statements: SettlementStatements, row: ReservationRow, now: Instant): Booked {
  const reservation = reservationFromRow(row);
  const settled = settle(statements, { reservationId: reservation.id, ending: endingOfOrphan(reservation, now) });
  invariant(settled !== null, 'the reservation was held in this transaction');
  return settled.booked;
}
