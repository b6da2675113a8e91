import { endingOfOrphan, type Instant, type ProcessId } from '@tollgate/core';
import { reservationFromRow, type ReservationRow } from '@tollgate/sql-common';
import { type ConnectionPool, inTransaction, type Session } from '../connection/connection-pool.js';
import { isTransient, retryTransient } from '../connection/retry.js';
import { settleOperation } from './money-operation.js';
import { performOperations } from './money-queue.js';

/** Ended together at most, so that a sweep after a crash under load leaves room for requests. */
const ORPHANS_PER_ROUND = 100;

/** Skips orphans that another process is ending. */
const ORPHANS = {
  name: 'tollgate-orphans',
  text: `select * from reservations r
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
async function within(session: Session, task: () => Promise<unknown>): Promise<readonly unknown[]> {
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
  const together = await within(session, () => performOperations(session, operations));
  if (together.length === 0) return { ended: operations.length, failures: [] };
  const failures: unknown[] = [];
  for (const operation of operations) failures.push(...await within(session, () => performOperations(session, [operation])));
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
