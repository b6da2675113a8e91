import {
  type Booked, type BookingObserver, type Checkpoint, endingOfOrphan, type Instant, invariant, type LeaseRenewal, type ProcessId, type ReservationId, type ReservationProgress,
  type SweptReservations,
} from '@tollgate/core';
import { encodeProgress, endBy, type LeaseClock, presentBy, type Queries, RESERVATION_COLUMNS, reservationFromRow, type ReservationRow, sweptOf } from '@tollgate/sql-common';
import { type RawBuilder, sql } from 'kysely';
import type { QueryConfig, QueryResult } from 'pg';
import { type ConnectionPool, deadlineFromNow, inTransaction, isTransient, retryTransient, type Session } from '../connection/connection-pool.js';
import { bookedBy, settleOperation } from './money-operation.js';
import { performOperations } from './money-queue.js';

/** At the end of the process; an unreleased lease expires. */
const FAREWELL_MILLISECONDS = 1000;
/** Per statement, to leave room for requests. */
const CHECKPOINTS_PER_STATEMENT = 256;

/** In the same lock order as money operations. */
const STORE_PROGRESS = {
  name: 'tollgate-store-progress',
  text: `with held as materialized (
      select id from reservations where id = any($2::text[]) and owner_id = $1 and state = 'held' order by id for no key update)
    update reservations r set progress = told.progress
    from unnest($2::text[], $3::text[]) as told(id, progress), held where r.id = told.id and held.id = told.id`,
};
const SERVER_NOW = 'floor(extract(epoch from statement_timestamp()) * 1000)::bigint as server_now';
const RETIRE = { name: 'tollgate-retire', text: 'delete from process_leases where process_id = $1' };

export interface PostgresLeaseParts {
  readonly pool: ConnectionPool;
  readonly queries: Queries;
  readonly self: ProcessId;
  readonly clock: LeaseClock;
}

/** The part of the clocks' difference that no network delay explains: the server read its clock between `asked` and `answered`. */
function clockAhead({ asked, answered, server }: { readonly asked: number; readonly answered: number; readonly server: number }): number {
  return Math.max(asked - server, 0) + Math.min(answered - server, 0);
}

/** Leases and checkpoints. A process lives until its lease expires by the server's clock. */
export class PostgresLeases {
  constructor(private readonly parts: PostgresLeaseParts) {}

  async checkpoint({ ownerId, progress, at, leaseExpiresAt }: Checkpoint): Promise<LeaseRenewal> {
    const asked = performance.now();
    const { wasAbsent, server } = await this.renew(ownerId, { given: at, end: leaseExpiresAt });
    const answered = at + performance.now() - asked;
    const entries = [...progress];
    for (let start = 0; start < entries.length; start += CHECKPOINTS_PER_STATEMENT) {
      await this.store(ownerId, entries.slice(start, start + CHECKPOINTS_PER_STATEMENT));
    }
    return { wasAbsent, clockAheadMilliseconds: Math.round(clockAhead({ asked: at, answered, server })) };
  }

  async retire(ownerId: ProcessId): Promise<void> {
    await this.run({ ...RETIRE, values: [ownerId] }, performance.now() + FAREWELL_MILLISECONDS);
  }

  /** Each process inserts its own lease only. */
  private async renew(ownerId: ProcessId, times: { readonly given: Instant; readonly end: Instant }): Promise<{ readonly wasAbsent: boolean; readonly server: number }> {
    const { queries, clock } = this.parts;
    const [present, end] = [presentBy(clock, times.given), endBy(clock, times)];
    const renewed = sql`update process_leases set expires_at = ${end}, renewed_at = ${present} where process_id = ${ownerId} returning ${sql.raw(SERVER_NOW)}`;
    const inserted = sql`
      insert into process_leases (process_id, expires_at, renewed_at) values (${ownerId}, ${end}, ${present})
      on conflict (process_id) do update set expires_at = excluded.expires_at, renewed_at = excluded.renewed_at returning ${sql.raw(SERVER_NOW)}`;
    const [known] = (await this.run(textOf(queries, renewed))).rows;
    const [row] = known === undefined ? (await this.run(textOf(queries, inserted))).rows : [known];
    return { wasAbsent: known === undefined, server: Number((row as { readonly server_now: bigint }).server_now) };
  }

  private async store(ownerId: ProcessId, entries: readonly (readonly [ReservationId, ReservationProgress])[]): Promise<void> {
    const values = [ownerId, entries.map(([id]) => id), entries.map(([, progress]) => encodeProgress(progress))];
    await this.run({ ...STORE_PROGRESS, values });
  }

  private run(query: QueryConfig, deadline = deadlineFromNow()): Promise<QueryResult> {
    return retryTransient(() => this.parts.pool.use((session) => session.query(query)), deadline);
  }
}

/** Per transaction, so that a sweep after a crash leaves room for requests. */
export const ORPHANS_PER_ROUND = 100;

/** For the driver. */
export function textOf(queries: Queries, statement: RawBuilder<unknown>): QueryConfig {
  const { sql: text, parameters } = statement.compile(queries);
  return { text, values: [...parameters] };
}

/** Skips leases that another process is removing. */
function forgetDead({ queries, clock, self }: PostgresLeaseParts, now: Instant): QueryConfig {
  const present = presentBy(clock, now);
  return textOf(queries, sql`
    delete from process_leases where expires_at <= ${present} and process_id in (
      select process_id from process_leases where expires_at <= ${present} and process_id <> ${self} for update skip locked)
    returning process_id, ${present} - renewed_at as silent`);
}

/** Skips orphans that another process is ending. */
function findOrphans({ queries, clock, self }: PostgresLeaseParts, now: Instant): QueryConfig {
  const present = presentBy(clock, now);
  return textOf(queries, sql`
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

interface EndedOrphan<Row> {
  readonly row: Row;
  readonly booked: Booked;
}

interface Round<Row> {
  readonly ended: readonly EndedOrphan<Row>[];
  readonly failures: readonly unknown[];
}

/** Rolls back the task only. */
async function inSavepoint<T>(session: Session, task: () => Promise<T>): Promise<{ readonly done: T } | { readonly failure: unknown }> {
  await session.query('savepoint orphans');
  try {
    return { done: await task() };
  } catch (thrown) {
    if (isTransient(thrown)) throw thrown;
    await session.query('rollback to savepoint orphans');
    return { failure: thrown };
  }
}

async function settleOrphans<Row extends ReservationRow>(session: Session, rows: readonly Row[], now: Instant): Promise<readonly EndedOrphan<Row>[]> {
  const commands = rows.map((row) => {
    const reservation = reservationFromRow(row);
    return { reservationId: reservation.id, ending: endingOfOrphan(reservation, now) };
  });
  const answers = await performOperations(session, commands.map(settleOperation));
  return rows.map((row, place) => {
    const [answer, command] = [answers[place], commands[place]];
    const booked = answer === undefined || command === undefined ? null : bookedBy(answer, command);
    invariant(booked !== null, 'a held reservation is ended once');
    return { row, booked };
  });
}

/** At their checkpoints; one by one if one fails. */
export async function endOrphans<Row extends ReservationRow>(session: Session, rows: readonly Row[], now: Instant): Promise<Round<Row>> {
  const together = await inSavepoint(session, () => settleOrphans(session, rows, now));
  if ('done' in together) return { ended: together.done, failures: [] };
  const [ended, failures]: [EndedOrphan<Row>[], unknown[]] = [[], []];
  for (const row of rows) {
    const alone = await inSavepoint(session, () => settleOrphans(session, [row], now));
    if ('done' in alone) ended.push(...alone.done);
    else failures.push(alone.failure);
  }
  return { ended, failures };
}

/** Ends reservations of dead processes; several processes may sweep concurrently. */
export class PostgresSweeper {
  constructor(private readonly parts: PostgresLeaseParts & { readonly bookings: BookingObserver }) {}

  /** Returns what it booked; throws if one could not be ended. */
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
   * Removes expired leases and ends their reservations in one transaction, so that a process without a lease knows that it was swept.
   * Orphans are locked from discovery to end.
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
