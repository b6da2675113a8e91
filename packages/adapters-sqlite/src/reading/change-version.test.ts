import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openConnection, type SqliteConnection } from '../file/sqlite-connection.js';
import { ChangeVersion, READING_MILLISECONDS } from './change-version.js';

let folder: string;
let own: SqliteConnection;
let other: SqliteConnection;
let milliseconds: number;
let changes: ChangeVersion;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-change-version-'));
  own = openConnection(join(folder, 'data', 'test.db'));
  own.exec('CREATE TABLE t (n INTEGER) STRICT');
  other = openConnection(join(folder, 'data', 'test.db'));
  milliseconds = 1_000;
  changes = new ChangeVersion(own, () => milliseconds);
});

afterEach(() => {
  own.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test('a change by another connection is seen after at most 20 ms', () => {
  const before = changes.current();
  other.exec('INSERT INTO t VALUES (1)');
  milliseconds += READING_MILLISECONDS - 1;
  expect(changes.current()).toBe(before);
  milliseconds += 1;
  expect(changes.current()).toBeGreaterThan(before);
});

test('changes of this process alter the version at once if they are announced, and otherwise not at all', () => {
  const before = changes.current();
  changes.advance();
  const after = changes.current();
  expect(after).toBeGreaterThan(before);
  own.exec('INSERT INTO t VALUES (1)');
  milliseconds += READING_MILLISECONDS;
  expect(changes.current()).toBe(after);
});
