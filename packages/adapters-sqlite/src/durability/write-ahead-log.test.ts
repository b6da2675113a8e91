import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IN_MEMORY } from '@tollgate/sql-common';
import { until } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { openConnection, type SqliteConnection, stopBlocking } from '../file/sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { WalCheckpointThread } from './wal-checkpoint-thread.js';
import { GroupCommit } from './group-commit.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** Few attempts suffice, because each test determines whether other connections permit a restart. */
const FEW_ATTEMPTS = 2;
/** Number of rows whose checkpoint takes far longer than a commit. */
const LONG_ROWS = 10_000;
const ROW_BYTES = 4_000;

/** A disk whose syncs end when the test calls for it. */
class HeldDisk {
  readonly asked: ((failure: Error | null) => void)[] = [];

  readonly sync = (_descriptor: number, whenDone: (failure: Error | null) => void): void => {
    this.asked.push(whenDone);
  };

  answer(failure: Error | null): void {
    this.asked.shift()?.(failure);
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}

describe('WriteAheadLog', () => {
  let place: StoreFile;
  let connection: SqliteConnection;
  let disk: HeldDisk;
  let log: WriteAheadLog;
  let commits: GroupCommit;

  beforeEach(() => {
    place = storeFile();
    connection = openConnection(place.file);
    connection.exec('CREATE TABLE notes (text TEXT NOT NULL)');
    stopBlocking(connection);
    disk = new HeldDisk();
    [log, commits] = openLog(FEW_ATTEMPTS);
  });

  function openLog(attempts?: number): [WriteAheadLog, GroupCommit] {
    const opened = new WriteAheadLog(connection, disk.sync, attempts);
    return [opened, new GroupCommit(connection, opened)];
  }

  afterEach(() => {
    log.close();
    connection.close();
    place.remove();
  });

  function insertion(text: string): () => void {
    return () => void connection.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
  }

  function seenByOthers(): readonly unknown[] {
    const other = new Database(place.file, { readonly: true });
    try {
      return other.prepare('SELECT text FROM notes').pluck().all();
    } finally {
      other.close();
    }
  }

  /** Adds the outcome of the work to `told` once there is one. Waits for two turns, not for the work. */
  async function noted(work: Promise<unknown>, told: string[]): Promise<void> {
    work.then(() => told.push('done'), () => told.push('failed'));
    await turn();
    await turn();
  }

  it('acknowledges no operation that is committed but not yet synced', async () => {
    const told: string[] = [];
    await noted(commits.run(insertion('a')), told);
    expect([told, seenByOthers(), disk.asked.length]).toEqual([[], ['a'], 1]);
    disk.answer(null);
    await turn();
    expect(told).toEqual(['done']);
  });

  it('starts no sync for a commit that does not require one', async () => {
    const told: string[] = [];
    await noted(commits.runAhead(insertion('a')), told);
    expect([told, seenByOthers(), disk.asked.length]).toEqual([['done'], ['a'], 0]);
  });

  it('syncs once for all commits that were made during an earlier sync', async () => {
    const told: string[] = [];
    await noted(commits.run(insertion('a')), told);
    await noted(commits.run(insertion('b')), told);
    await noted(commits.run(insertion('c')), told);
    expect([told, disk.asked.length]).toEqual([[], 1]);
    disk.answer(null);
    await turn();
    expect([told, disk.asked.length]).toEqual([['done'], 1]);
    disk.answer(null);
    await turn();
    expect(told).toEqual(['done', 'done', 'done']);
  });

  it('syncs the database file instead if the sync of the log fails, and restarts the log', async () => {
    const told: string[] = [];
    await noted(commits.run(insertion('a')), told);
    disk.answer(new Error('the disk is gone'));
    await turn();
    expect([told, statSync(`${place.file}-wal`).size]).toEqual([['done'], 0]);
    expect(readFileSync(place.file).includes('a')).toBe(true);
    await noted(commits.run(insertion('b')), told);
    disk.answer(null);
    await turn();
    expect([told, statSync(`${place.file}-wal`).size > 0]).toEqual([['done', 'done'], true]);
  });

  it('reports failure while neither log nor database can be synced, and syncs all commits before the next success', async () => {
    const told: string[] = [];
    const reader = new Database(place.file, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM notes');
    await noted(commits.run(insertion('a')), told);
    disk.answer(new Error('the disk is gone'));
    await until(() => told.length === 1);
    await noted(commits.run(insertion('b')), told);
    disk.answer(null);
    await until(() => told.length === 2);
    expect(told).toEqual(['failed', 'failed']);
    reader.close();
    await noted(commits.run(insertion('c')), told);
    disk.answer(null);
    await turn();
    expect([told, statSync(`${place.file}-wal`).size, seenByOthers()]).toEqual([['failed', 'failed', 'done'], 0, ['a', 'b', 'c']]);
  });

  it('while neither log nor database can be synced, refuses even operations that need no sync, and retries the sync', async () => {
    const told: string[] = [];
    const reader = new Database(place.file, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM notes');
    await noted(commits.run(insertion('a')), told);
    disk.answer(new Error('the disk is gone'));
    await until(() => told.length === 1);
    await expect(commits.runAhead(insertion('b'))).rejects.toMatchObject({ name: 'StoreUnavailable', message: expect.stringContaining('the disk is gone') });
    await expect(commits.runAhead(insertion('b'))).rejects.toThrow('write-ahead log');
    await until(() => disk.asked.length > 0);
    expect(disk.asked).toHaveLength(1);
    reader.close();
    disk.answer(null);
    await until(() => log.failure === null);
    await commits.runAhead(insertion('c'));
    expect(seenByOthers()).toEqual(['a', 'c']);
    await commits.close();
  });

  it('does not retry a sync after it was closed', async () => {
    const told: string[] = [];
    const reader = new Database(place.file, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM notes');
    await noted(commits.run(insertion('a')), told);
    disk.answer(new Error('the disk is gone'));
    await until(() => told.length === 1);
    await expect(commits.runAhead(insertion('b'))).rejects.toThrow('write-ahead log');
    await commits.close();
    await new Promise((resolve) => { setTimeout(resolve, 150).ref(); });
    expect(disk.asked).toEqual([]);
    reader.close();
  });

  it('waits for a running checkpoint if the log cannot be synced, and then succeeds', async () => {
    log.close();
    [log, commits] = openLog();
    connection.pragma('wal_autocheckpoint = 0');
    const insert = connection.prepare('INSERT INTO notes (text) VALUES (?)');
    connection.transaction(() => { for (let row = 0; row < LONG_ROWS; row += 1) insert.run('x'.repeat(ROW_BYTES)); })();
    const thread = new WalCheckpointThread(place.file);
    const lengthBefore = statSync(place.file).size;
    const moved = thread.checkpoint('PASSIVE');
    await until(() => statSync(place.file).size > lengthBefore);
    const commit = commits.run(insertion('a'));
    await until(() => disk.asked.length > 0);
    disk.answer(new Error('the disk is gone'));
    await expect(commit).resolves.toBeUndefined();
    await moved;
    expect([statSync(`${place.file}-wal`).size, readFileSync(place.file).length > LONG_ROWS * ROW_BYTES]).toEqual([0, true]);
    await thread.close();
  });

  it('closes after all commits are synced', async () => {
    const told: string[] = [];
    await noted(commits.run(insertion('a')), []);
    await noted(commits.close(), told);
    expect(told).toEqual([]);
    disk.answer(null);
    await turn();
    expect(told).toEqual(['done']);
  });

  it('syncs the log of a database that is opened through a link', async () => {
    const link = join(dirname(place.file), 'link.db');
    symlinkSync(place.file, link);
    const linked = openConnection(link);
    const ofLink = new WriteAheadLog(linked);
    await expect(ofLink.flush()).resolves.toBeUndefined();
    ofLink.close();
    linked.close();
  });

  it('never syncs a database in memory', async () => {
    const inMemory = openConnection(IN_MEMORY);
    await new WriteAheadLog(inMemory, disk.sync).flush();
    expect(disk.asked).toEqual([]);
    inMemory.close();
  });
});
