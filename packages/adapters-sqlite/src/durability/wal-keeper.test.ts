import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { NO_WAL_REPORT, type WalReport } from '@tollgate/sql-common';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { anEnding, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../open-sqlite-store.js';
import { openConnection, type SqliteConnection, stopBlocking } from '../file/sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { WalCheckpointThread } from './wal-checkpoint-thread.js';
import { WalKeeper } from './wal-keeper.js';
import { GroupCommit } from './group-commit.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** Small pages, so that few bytes fill many of them. */
const PAGE_BYTES = 512;
/** Approximate number of pages that one operation writes. */
const PAGES_PER_OPERATION = 8;
const OPERATIONS_PER_TURN = 8;
const OPERATIONS_PER_COMMIT = 64;
const DUE_PAGES = 4_000;
const BACKSTOP_PAGES = 16_384;

class Kept implements WalReport {
  readonly lengths: number[] = [];
  readonly failures: unknown[] = [];
  checkpoints = 0;
  fallbacks = 0;

  grown(pages: number): void {
    this.lengths.push(pages);
  }

  walCheckpointed(): void {
    this.checkpoints += 1;
  }

  walCheckpointFailed(cause: unknown): void {
    this.failures.push(cause);
  }

  fellBack(): void {
    this.fallbacks += 1;
  }

  /** Number of restarts of the log. */
  get beginnings(): number {
    return this.lengths.filter((length, position) => length < (this.lengths[position - 1] ?? 0)).length;
  }
}

describe('WalKeeper', () => {
  let place: StoreFile;
  let connection: SqliteConnection;
  let log: WriteAheadLog;
  let commits: GroupCommit;
  let keeper: WalKeeper;
  let kept: Kept;
  let written: number;

  function open(thread: Pick<WalCheckpointThread, 'checkpoint' | 'close'> = new WalCheckpointThread(place.file)): void {
    commits = new GroupCommit(connection, log, { onCommitted: (operations) => keeper.committed(operations) });
    keeper = new WalKeeper({ connection, report: kept, betweenCommits: (task) => commits.pausedFor(task), thread });
  }

  beforeEach(() => {
    place = storeFile();
    const made = new Database(place.file);
    made.pragma(`page_size = ${PAGE_BYTES}`);
    made.exec('CREATE TABLE pages_have_their_size_now (id INTEGER)');
    made.close();
    connection = openConnection(place.file);
    connection.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    stopBlocking(connection);
    log = new WriteAheadLog(connection);
    [kept, written] = [new Kept(), 0];
  });

  afterEach(async () => {
    await commits.close();
    await keeper.close();
    log.close();
    connection.close();
    place.remove();
  });

  /** Commits many operations within one turn, and waits until they are synced. */
  async function commitMuch(): Promise<void> {
    const insert = connection.prepare('INSERT INTO notes (text) VALUES (?)');
    const text = 'x'.repeat(PAGE_BYTES * PAGES_PER_OPERATION);
    await Promise.all(Array.from({ length: OPERATIONS_PER_COMMIT }, () => commits.run(() => insert.run(text))));
    written += OPERATIONS_PER_COMMIT;
  }

  /** Commits without waiting for a sync, so that the next commit can follow in the next turn. */
  async function commitAtOnce(): Promise<void> {
    const insert = connection.prepare('INSERT INTO notes (text) VALUES (?)');
    const text = 'x'.repeat(PAGE_BYTES * PAGES_PER_OPERATION);
    await Promise.all(Array.from({ length: OPERATIONS_PER_TURN }, () => commits.runAhead(() => insert.run(text))));
    written += OPERATIONS_PER_TURN;
  }

  async function commitUntil(isEnough: () => boolean): Promise<void> {
    await until(async () => {
      await commitMuch();
      return isEnough();
    });
  }

  function rows(): unknown {
    return connection.prepare('SELECT count(*) FROM notes').pluck().safeIntegers(false).get();
  }

  it('restarts the log repeatedly while another connection commits in every turn', async () => {
    const thread = new WalCheckpointThread(place.file);
    await thread.checkpoint('PASSIVE');
    open(thread);
    await until(async () => {
      for (let turn = 0; turn < 50; turn += 1) await commitAtOnce();
      return kept.beginnings >= 3;
    });
    expect([kept.failures, kept.fallbacks, rows()]).toEqual([[], 0, written]);
  });

  it('runs all checkpoints in the background thread', async () => {
    const thread = new WalCheckpointThread(place.file);
    await thread.checkpoint('PASSIVE');
    open(thread);
    await commitUntil(() => kept.checkpoints > 0);
    const { checkpointed } = connection.prepare<[], { readonly checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)').safeIntegers(false).get() ?? { checkpointed: 0 };
    expect([checkpointed > 0 || kept.beginnings > 0, kept.fallbacks]).toEqual([true, 0]);
  });

  it('reports a failing background thread, and runs a checkpoint itself before the log exceeds its bound', async () => {
    open(new WalCheckpointThread(`${place.file}.nowhere`));
    // A second failure shows that the thread was started again after the first.
    await commitUntil(() => kept.beginnings > 0 && kept.failures.length > 1);
    expect(kept.fallbacks).toBeGreaterThan(0);
    expect(kept.failures[0]).toMatchObject({ message: expect.stringContaining('unable to open database file') });
    expect(Math.max(...kept.lengths)).toBeLessThan(BACKSTOP_PAGES + 2 * OPERATIONS_PER_COMMIT * PAGES_PER_OPERATION * 2);
    expect(rows()).toBe(written);
  });

  it('repeats a failed checkpoint many times before the log reaches its bound', async () => {
    open({ checkpoint: () => Promise.reject(new Error('the disk said no')), close: async () => {} });
    await commitUntil(() => kept.fallbacks > 0);
    expect(kept.failures.length).toBeGreaterThan(2 * (BACKSTOP_PAGES / DUE_PAGES));
  });

  it('does not delay commits while a reader uses an old snapshot, and restarts the log afterwards', async () => {
    open();
    const reader = new Database(place.file, { readonly: true });
    reader.exec('BEGIN');
    expect(reader.prepare('SELECT count(*) FROM notes').pluck().get()).toBe(0);
    await commitUntil(() => kept.checkpoints > 1);
    expect([kept.beginnings, kept.failures, reader.prepare('SELECT count(*) FROM notes').pluck().get()]).toEqual([0, [], 0]);
    reader.close();
    await commitUntil(() => kept.beginnings > 0);
    expect(rows()).toBe(written);
  });
});

it('a closed gateway leaves only its database file', async () => {
  const place = storeFile();
  const lengths: number[] = [];
  const walReport: WalReport = { ...NO_WAL_REPORT, grown: (pages) => lengths.push(pages) };
  const driver = await StoreDriver.start(() => openSqliteStore({ file: place.file, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS, role: 'gateway', walReport }));
  await driver.credit('1000');
  for (let number = 0; Math.max(0, ...lengths) < DUE_PAGES; number += OPERATIONS_PER_COMMIT) {
    await Promise.all(Array.from({ length: OPERATIONS_PER_COMMIT }, (_, more) => driver.serve(number + more, anEnding(0))));
  }
  expect(existsSync(`${place.file}-wal`)).toBe(true);
  await driver.close();
  expect(['', '-wal', '-shm'].map((suffix) => existsSync(`${place.file}${suffix}`))).toEqual([true, false, false]);
  place.remove();
});
