import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { StoreUnavailable } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { GroupCommit } from '../durability/group-commit.js';
import { WriteAheadLog } from '../durability/write-ahead-log.js';
import { openConnection, type SqliteConnection } from '../file/sqlite-connection.js';
import { storeFile, type StoreFile } from '../test-support/stores.js';
import { endOrphans, type OrphanParts } from './end-orphans.js';
import { prepareSettlement } from './statements.js';

let place: StoreFile;
let connection: SqliteConnection;
let log: WriteAheadLog;
let parts: OrphanParts;

beforeEach(async () => {
  place = storeFile();
  await (await place.open()).close();
  connection = openConnection(place.file);
  log = new WriteAheadLog(connection);
  parts = { commits: new GroupCommit(connection, log), statements: prepareSettlement(connection) };
});

afterEach(async () => {
  await parts.commits.close();
  log.close();
  connection.close();
  place.remove();
});

const full = Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });
const unreadable = new RangeError('not a token count');

function failingWith(failures: Readonly<Record<string, Error>>): Parameters<typeof endOrphans>[2] {
  return {
    read: (id) => {
      throw failures[id] ?? new Error(id);
    },
    at: STORE_NOON,
  };
}

it('a sweep stops with the error if the store is unavailable for all reservations', async () => {
  await expect(endOrphans(parts, ['a', 'b'], failingWith({ a: full, b: full }))).rejects.toThrow(StoreUnavailable);
});

it('a sweep returns the failures if the store is unavailable for only some of the reservations', async () => {
  const { ended, failures } = await endOrphans(parts, ['a', 'b'], failingWith({ a: full, b: unreadable }));
  expect([ended, failures]).toEqual([[], [expect.any(StoreUnavailable), unreadable]]);
});

it('a sweep without reservations returns no failure', async () => {
  expect(await endOrphans(parts, [], failingWith({}))).toEqual({ ended: [], failures: [] });
});
