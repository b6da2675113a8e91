import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SeededRandom } from '@tollgate/testkit/programs';
import Database from 'better-sqlite3';
import { certainBytes, damaged, DAMAGES, readLogFrames } from './torn-log.js';

const SOUND = Buffer.from(Array.from({ length: 20_000 }, (_none, position) => 1 + (position * 7 + (position >> 8)) % 255));

describe.each(DAMAGES)('a write-ahead log damaged by %s', (damage) => {
  it('is a changed copy of the original, never longer', () => {
    const before = Buffer.from(SOUND);
    for (let seed = 0; seed < 50; seed += 1) {
      const log = damaged(SOUND, damage, new SeededRandom(seed));
      expect(log.length).toBeLessThanOrEqual(SOUND.length);
      expect(log.equals(SOUND)).toBe(false);
    }
    expect(SOUND.equals(before)).toBe(true);
  });

  it('is the same for the same seed', () => {
    expect(damaged(SOUND, damage, new SeededRandom(3)).equals(damaged(SOUND, damage, new SeededRandom(3)))).toBe(true);
  });
});

let folder: string;
let file: string;
let database: Database.Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-frames-'));
  file = join(folder, 'some.db');
  database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec('create table t (x text)');
  for (let row = 0; row < 20; row += 1) database.prepare('insert into t values (?)').run('x'.repeat(3000));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

it('a power failure may remove all frames of a write-ahead log without a WAL checkpoint', () => {
  const frames = readLogFrames(file);
  expect(frames.checkpointed).toBe(0);
  expect(certainBytes(frames)).toBe(0);
  expect(certainBytes({ all: frames.all, checkpointed: frames.all })).toBe(statSync(`${file}-wal`).size);
});

it('a power failure removes no frame that a WAL checkpoint copied to the database file', () => {
  const [{ checkpointed }] = database.pragma('wal_checkpoint(PASSIVE)') as [{ readonly checkpointed: number }];
  expect(readLogFrames(file)).toEqual({ all: checkpointed, checkpointed });
  expect(certainBytes(readLogFrames(file))).toBe(statSync(`${file}-wal`).size);
});
