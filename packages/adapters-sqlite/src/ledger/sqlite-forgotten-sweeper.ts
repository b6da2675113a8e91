import type { Booked, ForgottenReservations, ReservationId } from '@tollgate/core';
import { OrphanRounds, RESERVATION_COLUMNS, type ReservationRow } from '@tollgate/sql-common';
import { endOrphans } from './end-orphans.js';
import type { SqliteSweeperParts } from './sqlite-sweeper.js';

/** Ends reservations of a living process that the process no longer knows. */
export class SqliteForgottenSweeper {
  private readonly held;
  private readonly one;

  constructor(private readonly parts: Pick<SqliteSweeperParts, 'connection' | 'commits' | 'statements' | 'bookings'>) {
    const { connection } = parts;
    this.held = connection.prepare<[string, number], string>("SELECT id FROM reservations WHERE state = 'held' AND owner_id = ? AND created_at < ?").pluck();
    this.one = connection.prepare<[string, string], ReservationRow>(`SELECT ${RESERVATION_COLUMNS.join(', ')} FROM reservations WHERE id = ? AND state = 'held' AND owner_id = ?`);
  }

  /** Returns the bookings. Throws at the end if a reservation could not be ended. */
  async sweep({ ownerId, reservedBefore, isKnown, at }: ForgottenReservations): Promise<readonly Booked[]> {
    const { commits, bookings } = this.parts;
    const rounds = new OrphanRounds<ReservationRow>(bookings);
    const ids = await commits.run(() => this.held.all(ownerId, reservedBefore));
    const forgotten = ids.filter((id) => !isKnown(id as ReservationId));
    await rounds.endAll(forgotten, (some) => endOrphans(this.parts, some, { read: (id) => this.one.get(id, ownerId), at }));
    return rounds.bookings();
  }
}
