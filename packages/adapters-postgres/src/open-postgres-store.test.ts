import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { later } from '@tollgate/core';
import { FIRST_LEASE_MILLISECONDS, UnreleasedDatabaseError } from '@tollgate/sql-common';
import { STORE_PROCESS } from '@tollgate/sql-common/testing';
import { STORE_ALICE, STORE_NOON, StoreDriver, until } from '@tollgate/testkit';
import { openPostgresReader } from './open-postgres-reader.js';
import { inspectPostgres } from './inspect-postgres.js';
import { POSTGRES_MIGRATIONS } from './schema/migrate-postgres.js';
import { OTHERS } from './test-support/lent-databases.js';
import { onDatabase, postgresFixture, processNamed } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
const STEPS = Object.keys(POSTGRES_MIGRATIONS);

describe('openPostgresStore', () => {
  it('creates the schema, reports its migrations, and repeats none', async () => {
    const url = await postgres.createDatabase();
    const steps: string[] = [];
    const onMigrated = (step: string): void => void steps.push(step);
    const driver = await StoreDriver.start(() => postgres.open(url, { onMigrated }));
    expect(steps.splice(0)).toEqual(STEPS);
    await driver.credit('12');
    await driver.close();
    const again = await postgres.open(url, { onMigrated });
    expect(steps).toEqual([]);
    expect(await new StoreDriver(again).balance()).toBe('12/0/12');
    await again.close();
  });

  it('creates the schema once when several processes open a new database at the same time', async () => {
    const url = await postgres.createDatabase();
    const steps: string[] = [];
    const stores = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => (
      postgres.open(url, { processId: processNamed(name), onMigrated: (step) => void steps.push(step) }))));
    expect(steps).toEqual(STEPS);
    expect(await Promise.all(stores.map((store) => store.ledger.balanceOf(STORE_ALICE)))).toEqual([null, null, null, null, null]);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('refuses the database of a newer release, and names the unknown migration', async () => {
    const url = await postgres.createStoreDatabase();
    await onDatabase(url, "insert into schema_migrations values ('9999-from-the-future', '')");
    await expect(postgres.open(url)).rejects.toThrow('the database was written by a newer version of Tollgate (it has 9999-from-the-future)');
  });

  it('refuses a database from before the first release, and says what to do', async () => {
    const url = await postgres.createDatabase();
    await onDatabase(url, 'create table schema_migrations (name text, timestamp text)', "insert into schema_migrations values ('0001-initial', ''), ('0036a-omitted-settings', '')");
    const opening = postgres.open(url);
    await expect(opening).rejects.toThrow(UnreleasedDatabaseError);
    await expect(opening).rejects.toThrow('set DATABASE_URL to a new database, or start the version that made this one');
    await expect(inspectPostgres(url, new ManualClock(STORE_NOON))).rejects.toThrow(UnreleasedDatabaseError);
    await expect(openPostgresReader(url)).rejects.toThrow(UnreleasedDatabaseError);
  });

  it('applies all migrations or none', async () => {
    const url = await postgres.createDatabase();
    await onDatabase(url, 'create function tollgate_money_1(jsonb) returns int language sql as $$ select 1 $$');
    await expect(postgres.open(url)).rejects.toThrow('tollgate_money_1');
    expect(await onDatabase(url, "select 1 from pg_tables where tablename = 'accounts'")).toEqual([]);
  });

  it.each([
    ['where nothing listens', 'postgresql://me:hunter2@127.0.0.1:1/tollgate?sslmode=disable', '127.0.0.1:1/tollgate'],
    ['that does not exist', 'HERE/absent', 'postgresql://localhost/absent'],
  ])('reports a database %s by its address and name, without the password', async (_, text, name) => {
    const url = text.replace('HERE/absent', postgres.server().url('absent'));
    const opening = postgres.open(url);
    await expect(opening).rejects.toThrow(`cannot open the database ${name.startsWith('postgresql') ? name : `postgresql://${name}`}: `);
    await expect(opening).rejects.not.toThrow('hunter2');
  });

  it('leaves no connection open if opening fails', async () => {
    const url = await postgres.createStoreDatabase();
    await onDatabase(url, 'drop table platform_settings');
    await expect(postgres.open(url)).rejects.toThrow('platform_settings');
    await until(async () => (await onDatabase(url, OTHERS)).length === 0);
    expect(await onDatabase(url, OTHERS)).toEqual([]);
  });

  it('registers its own process as alive from the start, and releases its lease when it closes', async () => {
    const url = await postgres.createStoreDatabase();
    const [store, other] = [await postgres.open(url), await postgres.open(url, { processId: processNamed('other') })];
    const driver = await StoreDriver.start(() => store);
    await driver.credit('10');
    await driver.reserve(1, '5', { owner: STORE_PROCESS });
    expect(await other.ledger.sweep(later(STORE_NOON, FIRST_LEASE_MILLISECONDS - 1))).toHaveLength(0);
    await store.close();
    expect(await other.ledger.sweep(STORE_NOON)).toHaveLength(1);
    await other.close();
  });

  it('finishes every started operation before it closes', async () => {
    const url = await postgres.createStoreDatabase();
    const driver = await StoreDriver.start(() => postgres.open(url));
    await driver.credit('10');
    const reserving = driver.reserve(1, '4');
    await Promise.all([reserving, driver.close()]);
    const again = await postgres.open(url);
    expect(await new StoreDriver(again).balance()).toBe('10/4/6');
    await again.close();
  });
});
