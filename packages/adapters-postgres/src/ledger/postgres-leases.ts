import { type Checkpoint, type Instant, type LeaseRenewal, portionsOf, type ProcessId, type Prolongation, type ReservationId, type ReservationProgress } from '@tollgate/core';
import { encodeProgress, endBy, type LeaseClock, presentBy, type Queries } from '@tollgate/sql-common';
import { sql } from 'kysely';
import type { QueryConfig, QueryResult } from 'pg';
import type { ConnectionPool } from '../connection/connection-pool.js';
import { deadlineFromNow, retryTransient } from '../connection/retry-transient.js';
import { queryConfigOf } from './query-config.js';

/** Time during which the release of the lease is retried when the process ends. A lease that is not released expires. */
const FAREWELL_MILLISECONDS = 1000;
/** Maximum checkpoints or prolongations per statement: small, so that requests are served meanwhile. */
const CHECKPOINTS_PER_STATEMENT = 256;

/** Locks reservations in the same order as money operations, as `prolong` does. */
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

/**
 * Difference between the clocks, less what network delay can explain: the server read its clock between `asked` and `answered`. Positive if this
 * process is ahead.
 */
function clockAhead({ asked, answered, server }: { readonly asked: number; readonly answered: number; readonly server: number }): number {
  return Math.max(asked - server, 0) + Math.min(answered - server, 0);
}

/**
 * Leases of processes, and checkpoints of their reservations. A process is alive until its lease expires, by default according to the server's clock.
 */
export class PostgresLeases {
  constructor(private readonly parts: PostgresLeaseParts) {}

  async checkpoint({ ownerId, progress, at, leaseExpiresAt }: Checkpoint): Promise<LeaseRenewal> {
    const asked = performance.now();
    const { wasAbsent, server } = await this.renew(ownerId, { given: at, end: leaseExpiresAt });
    const answered = at + performance.now() - asked;
    for (const entries of portionsOf([...progress], CHECKPOINTS_PER_STATEMENT)) await this.store(ownerId, entries);
    return { wasAbsent, clockAheadMilliseconds: Math.round(clockAhead({ asked: at, answered, server })) };
  }

  async prolong({ ownerId, reservations, at, expiresAt }: Prolongation): Promise<void> {
    const end = endBy(this.parts.clock, { given: at, end: expiresAt });
    for (const ids of portionsOf(reservations, CHECKPOINTS_PER_STATEMENT)) {
      await this.run(queryConfigOf(this.parts.queries, sql`
        with held as materialized (
          select id from reservations where id = any(${ids}::text[]) and owner_id = ${ownerId} and state = 'held' and expires_at < ${end} order by id for no key update)
        update reservations r set expires_at = ${end} from held where r.id = held.id`));
    }
  }

  async retire(ownerId: ProcessId): Promise<void> {
    await this.run({ ...RETIRE, values: [ownerId] }, performance.now() + FAREWELL_MILLISECONDS);
  }

  /** Updates the lease, or inserts it if there is none. No other process inserts this lease. */
  private async renew(ownerId: ProcessId, times: { readonly given: Instant; readonly end: Instant }): Promise<{ readonly wasAbsent: boolean; readonly server: number }> {
    const { queries, clock } = this.parts;
    const [present, end] = [presentBy(clock, times.given), endBy(clock, times)];
    const renewed = sql`update process_leases set expires_at = ${end}, renewed_at = ${present} where process_id = ${ownerId} returning ${sql.raw(SERVER_NOW)}`;
    const inserted = sql`
      insert into process_leases (process_id, expires_at, renewed_at) values (${ownerId}, ${end}, ${present})
      on conflict (process_id) do update set expires_at = excluded.expires_at, renewed_at = excluded.renewed_at returning ${sql.raw(SERVER_NOW)}`;
    const [known] = (await this.run(queryConfigOf(queries, renewed))).rows;
    const [row] = known === undefined ? (await this.run(queryConfigOf(queries, inserted))).rows : [known];
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
