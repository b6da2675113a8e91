import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountId, type AuditedBy, later, type PersonId, SYSTEM_ACTOR } from '@tollgate/core';
import { UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { type Script, type ScriptRunner, SqlPersonRecords, sqliteQueries, type SqlStore } from '@tollgate/sql-common';
import { anAccount, STORE_NOON } from '@tollgate/testkit';
import { openConnection, type SqliteConnection } from '../../src/file/sqlite-connection.js';
import { ScriptExecutor } from '../../src/reading/script-executor.js';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const ID = 'person_carol' as PersonId;
const ACCOUNT = anAccount({ id: 'acct_carol' as AccountId, email: 'carol@example.test', emailVerified: false, createdAt: STORE_NOON });
const DUE: AuditedBy = { actor: SYSTEM_ACTOR, at: later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS) };

let place: StoreFile;
let store: SqlStore;
let connection: SqliteConnection;

beforeEach(async () => {
  place = storeFile();
  store = await place.open();
  connection = openConnection(place.file);
});

afterEach(async () => {
  connection.close();
  await store.close();
  place.remove();
});

/** Runs scripts on a connection of its own, and `before` ahead of every write. */
function runnerThatWrites(before: () => Promise<unknown>): ScriptRunner {
  const executor = new ScriptExecutor(connection);
  const run = async <T>(script: () => Script<T>): Promise<T> => executor.run(script());
  return {
    read: run, readInBackground: run, readInSharedThread: (_holder, script) => run(script),
    write: async (script) => {
      await before();
      return run(script);
    },
  };
}

it('a person is not removed if the address is verified between the read and the write of the removal', async () => {
  const person = { id: ID, accountId: null, email: ACCOUNT.email, emailVerified: false, name: 'Carol', role: 'owner', factors: [], language: null, createdAt: STORE_NOON } as const;
  await store.people.register({ person, passwordHash: 'a hash', account: ACCOUNT }, { actor: SYSTEM_ACTOR, at: STORE_NOON });
  const verifications: boolean[] = [];
  const runner = runnerThatWrites(async () => verifications.push(await store.people.vouch(ID, ACCOUNT, DUE)));
  expect(await new SqlPersonRecords(sqliteQueries(), runner, 'caller').discardUnverified(10, DUE)).toBe(0);
  expect([verifications, (await store.people.find(ID))?.person]).toMatchObject([[true], { emailVerified: true }]);
});
