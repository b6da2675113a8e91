import { ManualClock } from '@tollgate/adapters-memory';
import { addedColumnsContract } from '@tollgate/sql-common/testing';
import { STORE_NOON } from '@tollgate/testkit';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
const TABLES = "select tablename from pg_tables where schemaname = 'public' order by tablename";
/** More than the connections of a pool, so that every statement is prepared on each of them. */
const MORE_THAN_CONNECTIONS = 8;
/** Longer than any cache keeps an entry. */
const CACHED_MILLISECONDS = 5_000;

addedColumnsContract('PostgreSQL', async () => {
  const url = await postgres.createStoreDatabase();
  const clock = new ManualClock(STORE_NOON);
  const store = await postgres.open(url, { clock });
  return {
    store,
    workers: MORE_THAN_CONNECTIONS,
    age: () => clock.advance(CACHED_MILLISECONDS),
    tables: async () => (await onDatabase(url, TABLES)).map(({ tablename }) => String(tablename)),
    run: (statement) => onDatabase(url, statement),
    close: () => store.close(),
  };
});
