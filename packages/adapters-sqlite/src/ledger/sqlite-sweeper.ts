import type { Booked, BookingObserver, Instant, ProcessId, SweptReservations } from '@tollgate/core';
import { OrphanRounds, RESERVATION_COLUMNS, type ReservationRow, sweptOf } from '@tollgate/sql-common';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import { endOrphans, type OrphanParts } from './end-orphans.js';
import type { ProcessLeases } from './process-leases.js';

interface OrphanRow extends ReservationRow {
  readonly owner_lives: bigint;
}

type OrphanTerms = { readonly now: number; readonly self: string };

const ORPHANED = `state = 'held' AND (expires_at <= @now OR (owner_id <> @self
  AND NOT EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)))`;

export interface SqliteSweeperParts extends OrphanParts {
  readonly connection: SqliteConnection;
  readonly leases: ProcessLeases;
  readonly self: ProcessId;
  readonly bookings: BookingObserver;
}

/** Ends expired reservations and those of dead processes. */
export class SqliteSweeper {
  private readonly orphans;
  private readonly orphan;

  constructor(private readonly parts: SqliteSweeperParts) {
    const { connection } = parts;
    this.orphans = connection.prepare<[OrphanTerms], string>(`SELECT id FROM reservations WHERE ${ORPHANED}`).pluck();
    this.orphan = connection.prepare<[OrphanTerms & { readonly id: string }], OrphanRow>(`
      SELECT ${RESERVATION_COLUMNS.join(', ')}, (owner_id = @self OR EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)) AS owner_lives
      FROM reservations WHERE id = @id AND ${ORPHANED}`);
  }

  /** Returns the bookings. Throws at the end if a reservation could not be ended. */
  async sweep(now: Instant, onSwept: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    const { commits, leases, self, bookings } = this.parts;
    const silence = new Map<string, number | null>();
    const rounds = new OrphanRounds<OrphanRow>(bookings);
    const ids = await commits.run(() => {
      leases.removeDead(now, silence);
      return this.orphans.all({ now, self });
    });
    // Spares a reservation whose owner has renewed its lease or settled it meanwhile.
    const terms = { read: (id: string) => this.orphan.get({ id, now, self }), at: now };
    try {
      await rounds.endAll(ids, (some) => endOrphans(this.parts, some, terms));
      return rounds.bookings();
    } finally {
      for (const swept of sweptOf(rounds.rows, silence)) onSwept(swept);
    }
  }
}
