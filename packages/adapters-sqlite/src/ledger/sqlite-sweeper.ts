import type { Booked, BookingObserver, Instant, ProcessId, SweptReservations } from '@tollgate/core';
import { RESERVATION_COLUMNS, type ReservationRow, sweptOf } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';
import type { ProcessLeases } from './process-leases.js';
import { settleOrphan } from './settle-orphan.js';
import type { SettlementStatements } from './statements.js';

interface OrphanRow extends ReservationRow {
  readonly owner_lives: bigint;
}

interface EndedOrphan extends OrphanRow {
  readonly booked: Booked;
}

type OrphanQuery = { readonly now: number; readonly self: string };

/** Maximum reservations that are ended at once: small, so that requests are served during the sweep after a crash. */
const ORPHANS_PER_ROUND = 100;

const ORPHANED = `state = 'held' AND (expires_at <= @now OR (owner_id <> @self
  AND NOT EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)))`;

export interface SqliteSweeperParts {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly statements: SettlementStatements;
  readonly leases: ProcessLeases;
  readonly self: ProcessId;
  readonly bookings: BookingObserver;
}

/**
 * Ends expired reservations and those of dead processes, in rounds. A reservation that cannot be ended does not prevent the end of others in its
 * round; the next sweep ends those of later rounds.
 */
export class SqliteSweeper {
  private readonly orphans;
  private readonly orphan;

  constructor(private readonly parts: SqliteSweeperParts) {
    const { connection } = parts;
    this.orphans = connection.prepare<[OrphanQuery], string>(`SELECT id FROM reservations WHERE ${ORPHANED} LIMIT ${ORPHANS_PER_ROUND}`).pluck();
    this.orphan = connection.prepare<[OrphanQuery & { readonly id: string }], OrphanRow>(`
      SELECT ${RESERVATION_COLUMNS.join(', ')}, (owner_id = @self OR EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)) AS owner_lives
      FROM reservations WHERE id = @id AND ${ORPHANED}`);
  }

  /** Returns the bookings. Throws after the first round in which a reservation could not be ended. */
  async sweep(now: Instant, onSwept: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    const { commits, leases, self, bookings } = this.parts;
    const silence = new Map<string, number | null>();
    const ended: EndedOrphan[] = [];
    const round = async (): Promise<boolean> => {
      const ids = await commits.run(() => {
        leases.removeDead(now, silence);
        return this.orphans.all({ now, self });
      });
      const endings = await Promise.allSettled(ids.map((id) => commits.run(() => this.end(id, now))));
      const endedNow = endings.map((ending) => (ending.status === 'fulfilled' ? ending.value : null)).filter((orphan) => orphan !== null);
      for (const { booked } of endedNow) bookings.booked(booked);
      ended.push(...endedNow);
      const failure = endings.find((ending) => ending.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
      return ids.length === ORPHANS_PER_ROUND;
    };
    try {
      while (await round());
      return ended.map(({ booked }) => booked);
    } finally {
      for (const swept of sweptOf(ended, silence)) onSwept(swept);
    }
  }

  /** Ends a reservation, unless its owner has renewed its lease or settled it meanwhile. */
  private end(id: string, now: Instant): EndedOrphan | null {
    const { statements, self } = this.parts;
    const row = this.orphan.get({ id, now, self });
    if (row === undefined) return null;
    return { ...row, booked: settleOrphan(statements, row, now) };
  }
}
