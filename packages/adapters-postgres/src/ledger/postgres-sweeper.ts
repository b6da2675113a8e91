import type { Booked, BookingObserver, Instant, SweptReservations } from '@tollgate/core';
import { type OrphanRound, OrphanRounds, ORPHANS_PER_ROUND, presentBy, RESERVATION_COLUMNS, type ReservationRow, sweptOf } from '@tollgate/sql-common';
import { type RawBuilder, sql } from 'kysely';
import type { QueryConfig } from 'pg';
import { retryTransient } from '../connection/retry-transient.js';
import type { Session } from '../connection/session.js';
import { inTransaction } from '../connection/transaction.js';
import { endOrphans } from './end-orphans.js';
import type { PostgresLeaseParts } from './postgres-leases.js';
import { queryConfigOf } from './query-config.js';

/** Removes expired leases, except this process's own and those that another process has locked. */
function forgetDead({ queries, clock, self }: PostgresLeaseParts, now: Instant): QueryConfig {
  const present = presentBy(clock, now);
  return queryConfigOf(queries, sql`
    delete from process_leases where expires_at <= ${present} and process_id in (
      select process_id from process_leases where expires_at <= ${present} and process_id <> ${self} for update skip locked)
    returning process_id, ${present} - renewed_at as silent`);
}

/** Held reservations that a sweep must end. `owner.lives` is true if the process that sweeps owns it, or its owner has a valid lease. */
function orphansAt({ clock, self }: PostgresLeaseParts, now: Instant): RawBuilder<unknown> {
  const present = presentBy(clock, now);
  return sql`
    from reservations r
    cross join lateral (select r.owner_id = ${self} or exists (
      select 1 from process_leases l where l.process_id = r.owner_id and l.expires_at > ${present}) as lives) owner
    where r.state = 'held' and (r.expires_at <= ${present} or not owner.lives)`;
}

function findOrphans(parts: PostgresLeaseParts, now: Instant): QueryConfig {
  return queryConfigOf(parts.queries, sql`select r.id ${orphansAt(parts, now)}`);
}

/** Skips reservations that another process is ending, that have ended, and those whose owner has renewed its lease. */
function lockOrphans(parts: PostgresLeaseParts, ids: readonly string[], now: Instant): QueryConfig {
  const columns = sql.join(RESERVATION_COLUMNS.map((column) => sql.ref(`r.${column}`)));
  return queryConfigOf(parts.queries, sql`
    select ${columns}, owner.lives as owner_lives ${orphansAt(parts, now)} and r.id = any(${ids}::text[]) for no key update of r skip locked`);
}

interface OrphanRow extends ReservationRow {
  readonly owner_lives: boolean;
}

interface ForgottenLease {
  readonly process_id: string;
  readonly silent: bigint | null;
}

/** Ends expired reservations and those of dead processes. Several processes may sweep concurrently. */
export class PostgresSweeper {
  constructor(private readonly parts: PostgresLeaseParts & { readonly bookings: BookingObserver }) {}

  /** Returns the bookings. Throws at the end if a reservation could not be ended. */
  async sweep(now: Instant, onSwept: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    const silence = new Map<string, number | null>();
    const rounds = new OrphanRounds<OrphanRow>(this.parts.bookings);
    try {
      const { first, rest } = await this.begin(now, silence);
      rounds.add(first);
      await rounds.endAll(rest, (ids) => this.transaction((session) => this.end(session, ids, now)));
      return rounds.bookings();
    } finally {
      for (const swept of sweptOf(rounds.rows, silence)) onSwept(swept);
    }
  }

  /**
   * Removes expired leases, finds the reservations to end, and ends the first of them in the same transaction, so that a process that finds its lease
   * missing knows that it was swept.
   */
  private begin(now: Instant, silence: Map<string, number | null>): Promise<{ readonly first: OrphanRound<OrphanRow>; readonly rest: readonly string[] }> {
    return this.transaction(async (session) => {
      const forgotten = await session.query(forgetDead(this.parts, now));
      for (const { process_id: process, silent } of forgotten.rows as readonly ForgottenLease[]) silence.set(process, silent === null ? null : Number(silent));
      const { rows } = await session.query(findOrphans(this.parts, now));
      const ids = (rows as readonly Pick<OrphanRow, 'id'>[]).map(({ id }) => id);
      return { first: await this.end(session, ids.slice(0, ORPHANS_PER_ROUND), now), rest: ids.slice(ORPHANS_PER_ROUND) };
    });
  }

  /** The reservations are locked until they have ended. */
  private async end(session: Session, ids: readonly string[], now: Instant): Promise<OrphanRound<OrphanRow>> {
    if (ids.length === 0) return endOrphans<OrphanRow>(session, [], now);
    const { rows } = await session.query(lockOrphans(this.parts, ids, now));
    return endOrphans(session, rows as readonly OrphanRow[], now);
  }

  private transaction<T>(task: (session: Session) => Promise<T>): Promise<T> {
    return retryTransient(() => this.parts.pool.use((session) => inTransaction(session, 'begin', () => task(session))));
  }
}
