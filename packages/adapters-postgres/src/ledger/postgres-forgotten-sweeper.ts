import type { Booked, BookingObserver, ForgottenReservations, Instant, ProcessId, ReservationId } from '@tollgate/core';
import { type OrphanRound, OrphanRounds, type Queries, RESERVATION_COLUMNS, type ReservationRow } from '@tollgate/sql-common';
import { sql } from 'kysely';
import type { QueryConfig } from 'pg';
import type { ConnectionPool } from '../connection/connection-pool.js';
import { inTransaction } from '../connection/transaction.js';
import { retryTransient } from '../connection/retry-transient.js';
import { endOrphans } from './end-orphans.js';
import { queryConfigOf } from './query-config.js';

const HELD_BEFORE = { name: 'tollgate-held-before', text: "select id from reservations where state = 'held' and owner_id = $1 and created_at < $2" };

/** Skips rows that another process, such as one that sweeps, has locked. */
function lockHeld(queries: Queries, ids: readonly ReservationId[]): QueryConfig {
  return queryConfigOf(queries, sql`
    select ${sql.join(RESERVATION_COLUMNS.map((column) => sql.ref(`r.${column}`)))} from reservations r
    where r.state = 'held' and r.id in (${sql.join(ids)}) for no key update of r skip locked`);
}

/** Ends reservations of a living process that the process no longer knows. */
export class PostgresForgottenSweeper {
  constructor(private readonly parts: { readonly pool: ConnectionPool; readonly queries: Queries; readonly bookings: BookingObserver }) {}

  /** Returns the bookings. Throws at the end if a reservation could not be ended. */
  async sweep({ ownerId, reservedBefore, isKnown, at }: ForgottenReservations): Promise<readonly Booked[]> {
    const forgotten = (await this.heldBefore(ownerId, reservedBefore)).filter((id) => !isKnown(id));
    const rounds = new OrphanRounds<ReservationRow>(this.parts.bookings);
    await rounds.endAll(forgotten, (ids) => this.end(ids, at));
    return rounds.bookings();
  }

  private async heldBefore(ownerId: ProcessId, reservedBefore: Instant): Promise<readonly ReservationId[]> {
    const { rows } = await retryTransient(() => this.parts.pool.use((session) => session.query({ ...HELD_BEFORE, values: [ownerId, reservedBefore] })));
    return (rows as readonly { readonly id: string }[]).map(({ id }) => id as ReservationId);
  }

  private end(ids: readonly ReservationId[], at: Instant): Promise<OrphanRound<ReservationRow>> {
    const { pool, queries } = this.parts;
    return retryTransient(() => pool.use((session) => inTransaction(session, 'begin', async () => {
      const { rows } = await session.query(lockHeld(queries, ids));
      return endOrphans(session, rows as readonly ReservationRow[], at);
    })));
  }
}
