import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountId, type Booked, BookingObservers, instant, ServiceTokens } from '@tollgate/core';
import type { Script } from '@tollgate/sql-common';
import { CompiledQuery } from 'kysely';
import { GroupCommit } from '../durability/group-commit.js';
import { WriteAheadLog } from '../durability/write-ahead-log.js';
import { openConnection, type SqliteConnection } from '../file/sqlite-connection.js';
import { ChangeVersion } from './change-version.js';
import { SharedBackgroundReader } from './shared-background-reader.js';
import { SqliteScriptRunner } from './sqlite-script-runner.js';

const BOOKED: Booked = {
  kind: 'top-up', accountId: 'acct_1' as AccountId, keyId: null, requestId: null, reference: 'r', amount: ServiceTokens.parse('1'),
  balance: { posted: ServiceTokens.parse('1'), reserved: ServiceTokens.ZERO }, at: instant(0), served: null,
};

let connection: SqliteConnection;
let log: WriteAheadLog;
let runner: SqliteScriptRunner;
let heard: Booked[];

beforeEach(() => {
  connection = openConnection(':memory:');
  connection.exec('create table things (a integer unique)');
  log = new WriteAheadLog(connection);
  const bookings = new BookingObservers();
  heard = [];
  bookings.add({ booked: (booked) => void heard.push(booked) }, () => undefined);
  runner = new SqliteScriptRunner(connection, new GroupCommit(connection, log), {
    changes: new ChangeVersion(connection), backgroundReader: new SharedBackgroundReader(connection.name), bookings,
  });
});

afterEach(() => {
  log.close();
  connection.close();
});

function* inserting(value: number): Script<string> {
  yield { booked: BOOKED };
  yield CompiledQuery.raw('insert into things values (?)', [value]);
  return 'inserted';
}

it('the bookings of a script are announced after its commit, and those of a failed script are not', async () => {
  const writing = runner.write(() => inserting(1));
  expect(heard).toEqual([]);
  expect(await writing).toBe('inserted');
  expect(heard).toEqual([BOOKED]);
  await expect(runner.write(() => inserting(1))).rejects.toThrow('UNIQUE');
  expect(heard).toHaveLength(1);
});
