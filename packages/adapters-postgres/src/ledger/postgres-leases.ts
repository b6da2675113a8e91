import type { Checkpoint, ProcessId, ReservationId, ReservationProgress } from '@tollgate/core';
import { encodeProgress } from '@tollgate/sql-common';
import type { ConnectionPool } from '../connection/connection-pool.js';
import { deadlineFromNow, retryTransient } from '../connection/retry.js';

/** A process that ends does not wait longer to say so: a lease that is not given up ends by itself. */
const FAREWELL_MILLISECONDS = 1000;
/** Checkpoints written in one statement, so that thousands of streams leave room for requests. */
const CHECKPOINTS_PER_STATEMENT = 256;

const RENEW = {
  name: 'tollgate-renew-lease',
  text: `insert into process_leases (process_id, expires_at) values ($1, $2)
    on conflict (process_id) do update set expires_at = excluded.expires_at`,
};
/** Locks reservations in the order in which money operations lock them. */
const STORE_PROGRESS = {
  name: 'tollgate-store-progress',
  text: `with held as materialized (
      select id from reservations where id = any($2::text[]) and owner_id = $1 and state = 'held' order by id for no key update)
    update reservations r set progress = told.progress
    from unnest($2::text[], $3::text[]) as told(id, progress), held where r.id = told.id and held.id = told.id`,
};
const RETIRE = { name: 'tollgate-retire', text: 'delete from process_leases where process_id = $1' };

/**
 * Which processes count as alive, and how far their requests have come. A process lives until its lease runs out:
 * its owner may be on another machine, so nothing else is asked. Clocks of machines have to agree to about a second.
 */
export class PostgresLeases {
  constructor(private readonly pool: ConnectionPool) {}

  async checkpoint({ ownerId, progress, leaseExpiresAt }: Checkpoint): Promise<void> {
    await this.run({ ...RENEW, values: [ownerId, leaseExpiresAt] });
    const entries = [...progress];
    for (let start = 0; start < entries.length; start += CHECKPOINTS_PER_STATEMENT) {
      await this.store(ownerId, entries.slice(start, start + CHECKPOINTS_PER_STATEMENT));
    }
  }

  async retire(ownerId: ProcessId): Promise<void> {
    await this.run({ ...RETIRE, values: [ownerId] }, performance.now() + FAREWELL_MILLISECONDS);
  }

  private async store(ownerId: ProcessId, entries: readonly (readonly [ReservationId, ReservationProgress])[]): Promise<void> {
    const values = [ownerId, entries.map(([id]) => id), entries.map(([, progress]) => encodeProgress(progress))];
    await this.run({ ...STORE_PROGRESS, values });
  }

  private run(query: { readonly name: string; readonly text: string; readonly values: unknown[] }, deadline = deadlineFromNow()): Promise<unknown> {
    return retryTransient(() => this.pool.use((session) => session.query(query)), deadline);
  }
}
