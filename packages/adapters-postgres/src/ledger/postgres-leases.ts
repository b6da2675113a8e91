import { type Checkpoint, endingOfOrphan, type Instant, type ProcessId, type ReservationId, type ReservationProgress } from '@tollgate/core';
import { encodeProgress, RESERVATION_COLUMNS, reservationFromRow, type ReservationRow } from '@tollgate/sql-common';
import { type ConnectionPool, deadlineFromNow, inTransaction, isTransient, retryTransient, type Session } from '../connection/connection-pool.js';
import { settleOperation } from './money-operation.js';
import { performOperations } from './money-queue.js';

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

/** Ended together at most, so that a sweep after a crash under load leaves room for requests. */
const ORPHANS_PER_ROUND = 100;

/** Skips orphans that another process is ending. */
const ORPHANS = {
  name: 'tollgate-orphans',
  text: `select ${RESERVATION_COLUMNS.join(', ')} from reservations r
    where r.state = 'held' and (r.expires_at <= $1 or (r.owner_id <> $2
      and not exists (select 1 from process_leases l where l.process_id = r.owner_id and l.expires_at > $1)))
    limit $3 for no key update skip locked`,
};
const FORGET_DEAD = 'delete from process_leases where expires_at <= $1 and process_id <> $2';

/** What became of the orphans of one round. */
interface Round {
  readonly ended: number;
  readonly failures: readonly unknown[];
}

/** Undoes what failed and nothing else. */
async function inSavepoint(session: Session, task: () => Promise<unknown>): Promise<readonly unknown[]> {
  await session.query('savepoint orphans');
  try {
    await task();
    return [];
  } catch (thrown) {
    if (isTransient(thrown)) throw thrown;
    await session.query('rollback to savepoint orphans');
    return [thrown];
  }
}

async function endOrphans(session: Session, rows: readonly ReservationRow[], now: Instant): Promise<Round> {
  const operations = rows.map(reservationFromRow).map((reservation) => settleOperation({ reservationId: reservation.id, ending: endingOfOrphan(reservation, now) }));
  const together = await inSavepoint(session, () => performOperations(session, operations));
  if (together.length === 0) return { ended: operations.length, failures: [] };
  const failures: unknown[] = [];
  for (const operation of operations) failures.push(...await inSavepoint(session, () => performOperations(session, [operation])));
  return { ended: operations.length - failures.length, failures };
}

/** Ends what dead processes left behind; several processes may sweep at once. */
export class PostgresSweeper {
  constructor(private readonly pool: ConnectionPool, private readonly self: ProcessId) {}

  /** Says how many it ended; throws when one of them could not be. */
  async sweep(now: Instant): Promise<number> {
    let swept = 0;
    for (;;) {
      const { ended, failures } = await this.round(now);
      if (failures.length > 0) throw failures[0];
      swept += ended;
      if (ended < ORPHANS_PER_ROUND) break;
    }
    await retryTransient(() => this.pool.use((session) => session.query({ text: FORGET_DEAD, values: [now, this.self] })));
    return swept;
  }

  /** The orphans stay locked from the moment they are found until they are ended. */
  private round(now: Instant): Promise<Round> {
    return retryTransient(() => this.pool.use((session) => inTransaction(session, 'begin', async () => {
      const { rows } = await session.query({ ...ORPHANS, values: [now, this.self, ORPHANS_PER_ROUND] });
      return rows.length === 0 ? { ended: 0, failures: [] } : endOrphans(session, rows as readonly ReservationRow[], now);
    })));
  }
}
