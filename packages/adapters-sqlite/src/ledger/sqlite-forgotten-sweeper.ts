import type { Booked, ForgottenReservations, ReservationId } from '@tollgate/core';
import { RESERVATION_COLUMNS, type ReservationRow } from '@tollgate/sql-common';
import { settleOrphan } from './settle-orphan.js';
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
    const { commits, statements, bookings } = this.parts;
    const ids = await commits.run(() => this.held.all(ownerId, reservedBefore));
    const endings = await Promise.allSettled(ids.filter((id) => !isKnown(id as ReservationId)).map((id) => commits.run(() => {
      const row = this.one.get(id, ownerId);
      return row === undefined ? null : settleOrphan(statements, row, at);
    })));
    const ended = endings.map((ending) => (ending.status === 'fulfilled' ? ending.value : null)).filter((booked) => booked !== null);
    for (const booked of ended) bookings.booked(booked);
    const failure = endings.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
    return ended;
  }
}
