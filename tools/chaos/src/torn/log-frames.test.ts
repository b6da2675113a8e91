import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { certainBytes, readLogFrames } from './log-frames.js';

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

it('a log that was never checkpointed has nothing in it that cannot be lost', () => {
  const frames = readLogFrames(file);
  expect(frames.checkpointed).toBe(0);
  expect(certainBytes(frames)).toBe(0);
  expect(certainBytes({ all: frames.all, checkpointed: frames.all })).toBe(statSync(`${file}-wal`).size);
});

it('a log that was checkpointed cannot end before what was written into the database file', () => {
  const [{ checkpointed }] = database.pragma('wal_checkpoint(PASSIVE)') as [{ readonly checkpointed: number }];
  expect(readLogFrames(file)).toEqual({ all: checkpointed, checkpointed });
  expect(certainBytes(readLogFrames(file))).toBe(statSync(`${file}-wal`).size);
});
