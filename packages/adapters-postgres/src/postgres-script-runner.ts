import type { BookingObserver, UsageScope } from '@tollgate/core';
import { awaitScript, type QueryAnswer, ReadingTurns, type Script, type ScriptOutcome, type ScriptRunner, type StepRunner } from '@tollgate/sql-common';
import type { CompiledQuery } from 'kysely';
import type { BackgroundConnections } from './connection/background-connections.js';
import { ConnectionLostError, isTransient, sqlStateOf } from './connection/connection-failures.js';
import type { ConnectionPool } from './connection/connection-pool.js';
import { retryTransient } from './connection/retry-transient.js';
import type { Session } from './connection/session.js';
import { inTransaction, undoing } from './connection/transaction.js';
import { SerialQueue } from './serial-queue.js';

const BEGIN_READING = 'begin isolation level repeatable read read only';
/** Key of the advisory lock of writing scripts. It is the same in every version of Tollgate. */
const SCRIPT_LOCK = 7_086_190_021;
/** Takes the lock before the first read, so that each script sees what earlier scripts wrote. */
export const BEGIN_WRITING = `begin; select pg_advisory_xact_lock(${SCRIPT_LOCK}), pg_current_xact_id()::text as id`;

/** SQL state for the id of a transaction that this server never began. */
const NEVER_BEGUN = '22023';

/** Result of a script before its commit. */
interface Uncommitted<T> extends ScriptOutcome<T> {
  readonly id: string;
}

async function answerTo(session: Session, { sql, parameters }: CompiledQuery): Promise<QueryAnswer> {
  const { rows, rowCount } = await session.query({ text: sql, values: [...parameters] });
  return { rows, changes: rowCount ?? 0 };
}

export function runThrough<T>(session: Session, script: Script<T>): Promise<ScriptOutcome<T>> {
  return awaitScript(script, (query) => answerTo(session, query));
}

export function readThrough<T>(session: Session, script: Script<T>): Promise<T> {
  return inTransaction(session, BEGIN_READING, async () => (await runThrough(session, script)).result);
}

async function writeThrough<T>(session: Session, script: Script<T>): Promise<Uncommitted<T>> {
  return undoing(session, async () => {
    const [, locked] = await session.queries(BEGIN_WRITING);
    return { id: String(locked?.rows[0]?.id), ...await runThrough(session, script) };
  });
}

/** Throws a transient error while the transaction is in progress. */
async function hasCommittedBy(session: Session, id: string): Promise<boolean> {
  const { rows } = await session.query({ text: 'select pg_xact_status($1::xid8) as status', values: [id] });
  const status: unknown = rows[0]?.status;
  if (status === 'in progress') throw new ConnectionLostError(new Error('the transaction has not ended yet'));
  return status === 'committed';
}

/** Maximum number of concurrent long reads, such as those over many records. */
export const MAX_LONG_READS = 2;

/** Runs writing scripts one at a time over all processes, by an advisory lock. Money operations run concurrently with them. */
export class PostgresScriptRunner implements ScriptRunner, StepRunner {
  private readonly turns = new SerialQueue();
  private readonly longReads = new ReadingTurns(MAX_LONG_READS);

  constructor(private readonly pool: ConnectionPool, private readonly background: BackgroundConnections, private readonly bookings: BookingObserver) {}

  read<T>(script: () => Script<T>): Promise<T> {
    return retryTransient(() => this.pool.use((session) => readThrough(session, script())));
  }

  /** Runs at most `MAX_LONG_READS` of these reads at a time, so that most connections stay available to requests. */
  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T> {
    return this.longReads.run(holder, () => this.read(script));
  }

  /** The script takes effect once, even if the reply to its commit is lost, except as `hasCommitted` says. */
  async write<T>(script: () => Script<T>): Promise<T> {
    const { result, booked } = await this.turns.take(() => retryTransient(() => this.transact(script)));
    for (const each of booked) this.bookings.booked(each);
    return result;
  }

  steps<T>(script: () => Script<T>): Promise<T> {
    return retryTransient(() => this.pool.use(async (session) => (await runThrough(session, script())).result));
  }

  readInBackground<T>(script: () => Script<T>): Promise<T> {
    return this.background.use((session) => readThrough(session, script()));
  }

  /** Resolves when all earlier writes have ended. */
  idle(): Promise<void> {
    return this.turns.idle();
  }

  private async transact<T>(script: () => Script<T>): Promise<ScriptOutcome<T>> {
    const doubt: { transaction: Uncommitted<T> | null } = { transaction: null };
    try {
      return await this.pool.use(async (session) => {
        doubt.transaction = await writeThrough(session, script());
        await session.query('commit');
        return doubt.transaction;
      });
    } catch (thrown) {
      const { transaction } = doubt;
      if (transaction === null || !isTransient(thrown) || !await this.hasCommitted(transaction.id)) throw thrown;
      return transaction;
    }
  }

  /**
   * Finds out whether a transaction committed although the reply to its commit was lost. A failover may have lost the transaction itself. Not exact
   * then: if the new server has given its id to another transaction that committed, the answer is true.
   */
  private async hasCommitted(id: string): Promise<boolean> {
    try {
      return await retryTransient(() => this.pool.use((session) => hasCommittedBy(session, id)));
    } catch (thrown) {
      if (sqlStateOf(thrown) === NEVER_BEGUN) return false;
      throw thrown;
    }
  }
}
