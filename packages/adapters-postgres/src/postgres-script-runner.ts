import type { BookingObserver, UsageScope } from '@tollgate/core';
import { awaitScript, type QueryAnswer, ReadingTurns, type Script, type ScriptOutcome, type ScriptRunner, type StepRunner } from '@tollgate/sql-common';
import type { CompiledQuery } from 'kysely';
import type { BackgroundConnections } from './connection/background-connections.js';
import { type CommitMark, CommitMarks } from './connection/commit-marks.js';
import { ConnectionLostError, hasWaitedTooLong, isTransient } from './connection/connection-failures.js';
import type { ConnectionPool } from './connection/connection-pool.js';
import { retryTransient } from './connection/retry-transient.js';
import type { Session } from './connection/session.js';
import { inTransaction, undoing } from './connection/transaction.js';
import { SerialQueue } from './serial-queue.js';

const BEGIN_READING = 'begin isolation level repeatable read read only';
/** Key of the advisory lock of writing scripts. It is the same in every version of Tollgate. */
const SCRIPT_LOCK = 7_086_190_021;
/** Takes the lock before the first read, so that each script sees what earlier scripts wrote. */
export const BEGIN_WRITING = `begin; select pg_advisory_xact_lock(${SCRIPT_LOCK})`;

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

function writing<T>(session: Session, task: () => Promise<T>): Promise<T> {
  return undoing(session, async () => {
    await session.queries(BEGIN_WRITING);
    return task();
  });
}

/** Waits for the end of the transaction, which holds the lock. Throws a transient error if that takes too long, or if the server may lack commits. */
async function hasCommittedBy(session: Session, { lookup }: CommitMark): Promise<boolean> {
  try {
    const [server, found] = await writing(session, () => session.queries(`select pg_is_in_recovery() as is_standby; ${lookup}; commit`));
    if (server?.rows[0]?.is_standby === true) throw new ConnectionLostError(new Error('the server is not promoted yet'));
    return found?.rowCount === 1;
  } catch (thrown) {
    throw hasWaitedTooLong(thrown) ? new ConnectionLostError(thrown) : thrown;
  }
}

/** Maximum number of concurrent long reads, such as those over many records. */
export const MAX_LONG_READS = 2;

/** Runs writing scripts one at a time over all processes, by an advisory lock. Money operations run concurrently with them. */
export class PostgresScriptRunner implements ScriptRunner, StepRunner {
  private readonly turns = new SerialQueue();
  private readonly marks = new CommitMarks();
  private readonly longReads = new ReadingTurns(MAX_LONG_READS);

  constructor(private readonly pool: ConnectionPool, private readonly background: BackgroundConnections, private readonly bookings: BookingObserver) {}

  read<T>(script: () => Script<T>): Promise<T> {
    return retryTransient(() => this.pool.use((session) => readThrough(session, script())));
  }

  /** Runs at most `MAX_LONG_READS` of these reads at a time, so that most connections stay available to requests. */
  readInSharedThread<T>(holder: UsageScope, script: () => Script<T>): Promise<T> {
    return this.longReads.run(holder, () => this.read(script));
  }

  /** The script takes effect once, even if the reply to its commit is lost. */
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
    const mark = this.marks.next();
    const doubt: { outcome: ScriptOutcome<T> | null } = { outcome: null };
    try {
      return await this.pool.use((session) => writing(session, async () => {
        const outcome = await runThrough(session, script());
        doubt.outcome = outcome;
        await session.queries(`${mark.insertion}; commit`);
        return outcome;
      }));
    } catch (thrown) {
      const { outcome } = doubt;
      if (outcome === null || !isTransient(thrown) || !await this.hasCommitted(mark)) throw thrown;
      return outcome;
    }
  }

  /** Finds out whether a transaction committed although the reply to its commit was lost. A failover may have lost the transaction itself. */
  private hasCommitted(mark: CommitMark): Promise<boolean> {
    return retryTransient(() => this.pool.use((session) => hasCommittedBy(session, mark)));
  }
}
