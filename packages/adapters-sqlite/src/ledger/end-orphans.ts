import { endingOfOrphan, type Instant, invariant, StoreUnavailable } from '@tollgate/core';
import { type EndedOrphan, type OrphanRound, reservationFromRow, type ReservationRow } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import { settle } from './settle.js';
import type { SettlementStatements } from './statements.js';

export interface OrphanParts {
  readonly commits: GroupCommit;
  readonly statements: SettlementStatements;
}

export interface OrphanQuery<Row> {
  /** Returns `undefined` if the reservation must not be ended any more. */
  readonly read: (id: string) => Row | undefined;
  readonly at: Instant;
}

/** Settles a reservation at its checkpoint. `row` must have been read in this transaction. */
function endOrphan<Row extends ReservationRow>(statements: SettlementStatements, row: Row, at: Instant): EndedOrphan<Row> {
  const reservation = reservationFromRow(row);
  const settled = settle(statements, { reservationId: reservation.id, ending: endingOfOrphan(reservation, at) });
  invariant(settled !== null, 'the reservation was held in this transaction');
  return { row, booked: settled.booked };
}

/** Ends each reservation in a transaction of its own. Throws if the store fails for all of them. */
export async function endOrphans<Row extends ReservationRow>({ commits, statements }: OrphanParts, ids: readonly string[], { read, at }: OrphanQuery<Row>): Promise<OrphanRound<Row>> {
  const endings = await Promise.allSettled(ids.map((id) => commits.run(() => {
    const row = read(id);
    return row === undefined ? null : endOrphan(statements, row, at);
  })));
  const failures: readonly unknown[] = endings.flatMap((ending) => (ending.status === 'rejected' ? [ending.reason] : []));
  if (failures.length > 0 && failures.length === ids.length && failures.every((failure) => failure instanceof StoreUnavailable)) throw failures[0];
  return { ended: endings.flatMap((ending) => (ending.status === 'fulfilled' ? ending.value ?? [] : [])), failures };
}
