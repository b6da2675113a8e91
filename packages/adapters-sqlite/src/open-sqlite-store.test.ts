import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type AccountId, later, type PersonId, type ProcessId, SYSTEM_ACTOR } from '@tollgate/core';
import { UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { FIRST_LEASE_MILLISECONDS, UnreleasedDatabaseError } from '@tollgate/sql-common';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { anAccount, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { inspectSqlite } from './inspect-sqlite.js';
import { openSqliteStore } from './open-sqlite-store.js';
import { storeInMemory } from './test-support/store-in-memory.js';
import { storeFile, type StoreFile } from './test-support/stores.js';

describe('openSqliteStore', () => {
  let place: StoreFile;

  beforeEach(() => {
    place = storeFile();
  });

  afterEach(() => {
    place.remove();
  });

  function open(file: string, onMigrated: (step: string) => void = () => undefined): ReturnType<typeof openSqliteStore> {
    return openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS, onMigrated });
  }

  it('creates the folder and the file, and reports its migrations', async () => {
    const file = join(dirname(place.file), 'new', 'folder', 'tollgate.db');
    const steps: string[] = [];
    const store = await open(file, (step) => steps.push(step));
    await store.close();
    expect(existsSync(file)).toBe(true);
    expect(steps[0]).toBe('0001-baseline');
  });

  it('repeats no migration, and keeps existing data', async () => {
    const first = await StoreDriver.start(() => place.open());
    await first.credit('12');
    await first.close();
    const steps: string[] = [];
    const again = await open(place.file, (step) => steps.push(step));
    expect(steps).toEqual([]);
    expect(await new StoreDriver(again).balance()).toBe('12/0/12');
    await again.close();
  });

  it('lets several processes open a new file at once', async () => {
    const stores = await Promise.all(['a', 'b', 'c'].map((name) => place.open(`process_${name}` as ProcessId)));
    expect(await Promise.all(stores.map((store) => store.ledger.balanceOf(STORE_ALICE)))).toEqual([null, null, null]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('removes unverified people although earlier ones cannot be removed, and tries to remove those again', async () => {
    const store = await place.open();
    const idOf = (number: number): PersonId => `person_${number}` as PersonId;
    for (let number = 0; number < 5; number += 1) {
      const [email, at] = [`person${number}@example.test`, later(STORE_NOON, number)];
      await store.people.register({
        person: { id: idOf(number), accountId: null, email, emailVerified: false, name: 'Someone', role: 'owner', factors: [], language: null, createdAt: at }, passwordHash: 'a hash',
        account: anAccount({ id: `acct_${number}` as AccountId, email, emailVerified: false, createdAt: at }),
      }, { actor: SYSTEM_ACTOR, at });
    }
    const direct = new Database(place.file);
    direct.exec("create trigger stuck before delete on people when old.id in ('person_0', 'person_1') begin select raise(abort, 'stuck'); end");
    const discard = (): Promise<number> => store.people.discardUnverified(2, { actor: SYSTEM_ACTOR, at: later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS + 10) });
    await expect(discard()).rejects.toThrow('stuck');
    expect(await discard()).toBe(2);
    await expect(discard()).rejects.toThrow('stuck');
    direct.exec('drop trigger stuck');
    direct.close();
    expect(await Promise.all([2, 3, 4].map((number) => store.people.find(idOf(number))))).toEqual([null, null, null]);
    expect([await discard(), await discard()]).toEqual([2, 0]);
    await store.close();
  });

  it('refuses the database of a newer release, and names the unknown migration', async () => {
    await (await place.open()).close();
    const direct = new Database(place.file);
    direct.exec("INSERT INTO schema_migrations VALUES ('9999-from-the-future', '')");
    direct.close();
    await expect(place.open()).rejects.toThrow('the database was written by a newer version of Tollgate (it has 9999-from-the-future)');
  });

  it('refuses a database from before the first release, and says what to do', async () => {
    const direct = new Database(place.file);
    direct.exec("CREATE TABLE schema_migrations (name text, timestamp text); INSERT INTO schema_migrations VALUES ('0001-initial', ''), ('0036a-omitted-settings', '')");
    direct.close();
    const opening = place.open();
    await expect(opening).rejects.toThrow(UnreleasedDatabaseError);
    await expect(opening).rejects.toThrow('set DATABASE_URL to a new database, or start the version that made this one');
    expect(() => inspectSqlite(place.file)).toThrow(UnreleasedDatabaseError);
  });

  it('applies a migration either completely or not at all', async () => {
    const direct = new Database(place.file);
    direct.exec('CREATE TABLE usage_daily (something_else INTEGER)');
    direct.close();
    await expect(place.open()).rejects.toThrow('usage_daily');
    const after = new Database(place.file);
    expect(after.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'accounts'").pluck().get()).toBe(0);
    after.close();
  });

  it.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['something that is no database', (file: string) => writeFileSync(file, 'hello, this is not a database file at all'.repeat(100))],
  ])('names the file that it cannot open when it is %s', async (_, prepare) => {
    prepare(place.file);
    await expect(place.open()).rejects.toThrow(`cannot open the database file ${place.file}: `);
  });

  it('uses a write-ahead log', async () => {
    const store = await place.open();
    const direct = new Database(place.file);
    expect(direct.pragma('journal_mode', { simple: true })).toBe('wal');
    direct.close();
    await store.close();
  });

  it('registers its own process as alive from the start', async () => {
    const store = await place.open();
    const other = await place.open('process_other' as ProcessId);
    const driver = await StoreDriver.start(() => store);
    await driver.credit('10');
    await driver.reserve(1, '5', { owner: STORE_PROCESS });
    expect(await other.ledger.sweep(later(STORE_NOON, FIRST_LEASE_MILLISECONDS - 1))).toHaveLength(0);
    expect(await other.ledger.sweep(later(STORE_NOON, FIRST_LEASE_MILLISECONDS))).toHaveLength(1);
    await other.close();
    await store.close();
  });

  it('keeps databases in memory separate', async () => {
    const [first, second] = [await StoreDriver.start(storeInMemory), await StoreDriver.start(storeInMemory)];
    await first.credit('5');
    expect(await second.balance()).toBe('0/0/0');
    await Promise.all([first.close(), second.close()]);
  });

  it('finishes every started operation before it closes', async () => {
    const driver = await StoreDriver.start(() => place.open());
    await driver.credit('10');
    const reserving = driver.reserve(1, '4');
    await Promise.all([reserving, driver.close()]);
    const again = await place.open();
    expect(await new StoreDriver(again).balance()).toBe('10/4/6');
    await again.close();
  });
});
