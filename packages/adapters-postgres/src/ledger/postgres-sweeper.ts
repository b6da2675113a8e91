import type { Booked, BookingObserver, Instant, SweptReservations } from '@tollgate/core';
import { presentBy, RESERVATION_COLUMNS, type ReservationRow, sweptOf } from '@tollgate/sql-common';
import { sql } from 'kysely';
import type { QueryConfig } from 'pg';
import { retryTransient } from '../connection/retry-transient.js';
import { inTransaction } from '../connection/transaction.js';
import { type EndedOrphan, endOrphans, ORPHANS_PER_ROUND, type Round } from './end-orphans.js';
import type { PostgresLeaseParts } from './postgres-leases.js';
import { queryConfigOf } from './query-config.js';

/** Removes expired leases. Skips leases that another process is removing. */
function forgetDead({ queries, clock, self }: PostgresLeaseParts, now: Instant): QueryConfig {
  const present = presentBy(clock, now);
  return queryConfigOf(queries, sql`
    delete from process_leases where expires_at <= ${present} and process_id in (
      select process_id from process_leases where expires_at <= ${present} and process_id <> ${self} for update skip locked)
    returning process_id, ${present} - renewed_at as silent`);
}

/** Finds and locks reservations to end. Skips those that another process is ending. */
function findOrphans({ queries, clock, self }: PostgresLeaseParts, now: Instant): QueryConfig {
  const present = presentBy(clock, now);
  return queryConfigOf(queries, sql`
    select ${sql.join(RESERVATION_COLUMNS.map((column) => sql.ref(`r.${column}`)))}, owner.lives as owner_lives from reservations r
    cross join lateral (select r.owner_id = ${self} or exists (
      select 1 from process_leases l where l.process_id = r.owner_id and l.expires_at > ${present}) as lives) owner
    where r.state = 'held' and (r.expires_at <= ${present} or not owner.lives)
    limit ${sql.lit(ORPHANS_PER_ROUND)} for no key update of r skip locked`);
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

  /** Returns the bookings. Throws if a reservation could not be ended. */
  async sweep(now: Instant, onSwept: (swept: SweptReservations) => void): Promise<readonly Booked[]> {
    const silence = new Map<string, number | null>();
    const ended: EndedOrphan<OrphanRow>[] = [];
    const round = async (): Promise<boolean> => {
      const { ended: endedNow, failures } = await this.round(now, silence);
      for (const { booked } of endedNow) this.parts.bookings.booked(booked);
      ended.push(...endedNow);
      if (failures.length > 0) throw failures[0];
      return endedNow.length === ORPHANS_PER_ROUND;
    };
    try {
      while (await round());
      return ended.map(({ booked }) => booked);
    } finally {
      for (const swept of sweptOf(ended.map(({ row }) => row), silence)) onSwept(swept);
    }
  }

  /**
   * Removes expired leases and ends the reservations of their processes in one transaction, so that a process that finds no lease knows that it was
   * swept. Reservations are locked until they have ended.
   */
  private round(now: Instant, silence: Map<string, number | null>): Promise<Round<OrphanRow>> {
    return retryTransient(() => this.parts.pool.use((session) => inTransaction(session, 'begin', async () => {
      const forgotten = await session.query(forgetDead(this.parts, now));
      for (const { process_id: process, silent } of forgotten.rows as readonly ForgottenLease[]) silence.set(process, silent === null ? null : Number(silent));
      const { rows } = await session.query(findOrphans(this.parts, now));
      return rows.length === 0 ? { ended: [], failures: [] } : endOrphans(session, rows as readonly OrphanRow[], now);
    })));
  }
}
