import { endingOfOrphan, type Instant, type ProcessId } from '@tollgate/core';
import { reservationFromRow, type ReservationRow } from '@tollgate/sql-common';
import type { GroupCommit } from '../durability/group-commit.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import type { ProcessLeases } from './process-leases.js';
import { settle } from './settle.js';
import type { SettlementStatements } from './statements.js';

type OrphanQuery = { readonly now: number; readonly self: string };

/** Ended together at most, so that a sweep after a crash under load leaves room for requests. */
const ORPHANS_PER_ROUND = 100;

const ORPHANED = `state = 'held' AND (expires_at <= @now OR (owner_id <> @self
  AND NOT EXISTS (SELECT 1 FROM process_leases WHERE process_leases.process_id = reservations.owner_id)))`;

export interface SqliteSweeperParts {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly statements: SettlementStatements;
  readonly leases: ProcessLeases;
  readonly self: ProcessId;
}

/** Ends what dead processes left behind. One reservation that cannot be ended does not keep the others waiting. */
export class SqliteSweeper {
  private readonly orphans;
  private readonly orphan;

  constructor(private readonly parts: SqliteSweeperParts) {
    const { connection } = parts;
    this.orphans = connection.prepare<[OrphanQuery], string>(`SELECT id FROM reservations WHERE ${ORPHANED} LIMIT ${ORPHANS_PER_ROUND}`).pluck();
    this.orphan = connection.prepare<[OrphanQuery & { readonly id: string }], ReservationRow>(`SELECT * FROM reservations WHERE id = @id AND ${ORPHANED}`);
  }

  /** Says how many it ended; throws when one of them could not be. */
  async sweep(now: Instant): Promise<number> {
    const { commits, leases, self } = this.parts;
    let swept = 0;
    for (;;) {
      const ids = await commits.run(() => {
        leases.removeDead(now);
        return this.orphans.all({ now, self });
      });
      const endings = await Promise.allSettled(ids.map((id) => commits.run(() => this.end(id, now))));
      const failure = endings.find((ending) => ending.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
      swept += endings.filter((ending) => ending.status === 'fulfilled' && ending.value).length;
      if (ids.length < ORPHANS_PER_ROUND) return swept;
    }
  }

  /** Looks again, since the owner may have come back or settled in the meantime. */
  private end(id: string, now: Instant): boolean {
    const { statements, self } = this.parts;
    const row = this.orphan.get({ id, now, self });
    if (row === undefined) return false;
    const reservation = reservationFromRow(row);
    settle(statements, { reservationId: reservation.id, ending: endingOfOrphan(reservation, now) });
    return true;
  }
}
