import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openConnection, type SqliteConnection, stopBlocking } from '../file/sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { GroupCommit } from './group-commit.js';
import { WriteAheadLog } from './write-ahead-log.js';

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
}

describe('GroupCommit', () => {
  let place: StoreFile;
  let connection: SqliteConnection;
  let other: SqliteConnection;
  let log: WriteAheadLog;
  let commits: GroupCommit;

  beforeEach(() => {
    place = storeFile();
    connection = openConnection(place.file);
    connection.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)');
    stopBlocking(connection);
    other = new Database(place.file, { timeout: 0 });
    log = new WriteAheadLog(connection);
    commits = new GroupCommit(connection, log);
  });

  afterEach(async () => {
    await commits.close();
    log.close();
    connection.close();
    other.close();
    place.remove();
  });

  function write(text: string): Promise<void> {
    return commits.run(() => {
      connection.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
    });
  }

  /** Records the number of operations of each commit. */
  function counting(): { readonly counts: readonly number[]; readonly counted: GroupCommit } {
    const counts: number[] = [];
    return { counts, counted: new GroupCommit(connection, log, { onCommitted: (operations) => counts.push(operations) }) };
  }

  function seenByOthers(): readonly unknown[] {
    return other.prepare('SELECT text FROM notes ORDER BY id').pluck().all();
  }

  it('resolves operations only after their commit', async () => {
    const writing = write('a');
    expect(seenByOthers()).toEqual([]);
    await writing;
    expect(seenByOthers()).toEqual(['a']);
  });

  it('commits the operations of one event loop turn in one transaction, in order', async () => {
    const transactions = new Set<unknown>();
    await Promise.all(['a', 'b', 'c'].map((text) => commits.run(() => {
      transactions.add(other.pragma('data_version', { simple: true }));
      connection.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
    })));
    expect(transactions.size).toBe(1);
    expect(seenByOthers()).toEqual(['a', 'b', 'c']);
  });

  it.each<[string, readonly string[], readonly number[]]>([
    ['several operations together with those of the next turn', ['ab', 'cd', 'e'], [4, 1]],
    ['a single operation at once', ['a', 'bc', 'd'], [1, 3]],
  ])('commits %s', async (_case, turns, expected) => {
    const { counts, counted } = counting();
    for (const asked of turns) {
      for (const text of asked) void counted.run(() => text);
      await turnsOfTheLoop(1);
    }
    await counted.close();
    expect(counts).toEqual(expected);
  });

  it('commits at once a group that has reached the maximum size', async () => {
    const { counts, counted } = counting();
    for (let number = 0; number < 256; number += 1) void counted.run(() => number);
    await turnsOfTheLoop(1);
    expect(counts).toEqual([256]);
    await counted.close();
  });

  it('lets an operation read what earlier ones wrote', async () => {
    const counts = await Promise.all(['a', 'b'].map((text) => commits.run(() => {
      connection.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
      return connection.prepare('SELECT count(*) FROM notes').pluck().safeIntegers(false).get();
    })));
    expect(counts).toEqual([1, 2]);
  });

  it('rolls back only the operation that throws', async () => {
    const half = commits.run(() => {
      connection.prepare("INSERT INTO notes (text) VALUES ('half')").run();
      throw new Error('in the middle');
    });
    const outcomes = await Promise.allSettled([write('a'), half, write('a'), write('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    await expect(half).rejects.toThrow('in the middle');
    expect(seenByOthers()).toEqual(['a', 'b']);
  });

  it('rejects all operations, without effect, if the commit fails', async () => {
    connection.exec('CREATE TABLE remarks (note INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)');
    const spoiled = commits.run(() => {
      connection.prepare('INSERT INTO remarks (note) VALUES (99)').run();
    });
    const outcomes = await Promise.allSettled([write('a'), spoiled]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(seenByOthers()).toEqual([]);
    await write('b');
    expect(seenByOthers()).toEqual(['b']);
  });

  it('continues after a commit whose only operation threw', async () => {
    await expect(commits.run(() => { throw new Error('alone'); })).rejects.toThrow('alone');
    await write('a');
    expect(seenByOthers()).toEqual(['a']);
  });

  it('waits for another process’s lock without blocking the event loop', async () => {
    other.exec('BEGIN IMMEDIATE');
    const writing = write('a');
    // If SQLite itself waited for the lock, these turns would not pass.
    await turnsOfTheLoop(5);
    expect(seenByOthers()).toEqual([]);
    const later = write('b');
    other.exec('COMMIT');
    await Promise.all([writing, later]);
    expect(seenByOthers()).toEqual(['a', 'b']);
  });

  it('commits no operation while paused, and all waiting ones afterwards, even if the pause ends with an error', async () => {
    const asked: Promise<void>[] = [];
    await expect(commits.pausedFor(async () => {
      asked.push(write('a'), write('b'));
      await turnsOfTheLoop(5);
      expect(seenByOthers()).toEqual([]);
      throw new Error('over');
    })).rejects.toThrow('over');
    await Promise.all(asked);
    expect(seenByOthers()).toEqual(['a', 'b']);
  });

  it.each([1, 2, 256, 300].flatMap((operations) => [0, 1, 2].map((turns) => ({ operations, turns }))))(
    'commits $operations operations once after a pause that begins $turns turns after their request, and none during it',
    async ({ operations, turns }) => {
      const { counts, counted } = counting();
      const asked = Array.from({ length: operations }, (_, number) => counted.run(() => {
        connection.prepare('INSERT INTO notes (text) VALUES (?)').run(`note ${number}`);
      }));
      await turnsOfTheLoop(turns);
      const before = counts.length;
      await counted.pausedFor(async () => {
        await turnsOfTheLoop(3);
        expect(counts).toHaveLength(before);
      });
      await Promise.all(asked);
      expect(seenByOthers()).toEqual(asked.map((_, number) => `note ${number}`));
    },
  );

  it('reports the number of operations per commit', async () => {
    const { counts, counted } = counting();
    await Promise.all(Array.from({ length: 300 }, (_, number) => counted.run(() => number)));
    expect(counts).toEqual([256, 44]);
  });

  it('commits each of a thousand operations that are requested at once', async () => {
    await Promise.all(Array.from({ length: 1000 }, (_, number) => write(`note ${number}`)));
    expect(seenByOthers()).toHaveLength(1000);
  });

  it('closes after all requested commits, and refuses later ones', async () => {
    const writing = write('a');
    await commits.close();
    expect(seenByOthers()).toEqual(['a']);
    await writing;
    await expect(write('b')).rejects.toThrow('the database is open while it is used');
  });
});
