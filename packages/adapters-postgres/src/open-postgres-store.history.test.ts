import { storeHistoryContract } from '@tollgate/sql-common/testing';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();
const NAME = "select current_database() as name";
const others = (name: string): string => `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`;

storeHistoryContract('a PostgreSQL database that a lagging standby replaces under a running gateway', async () => {
  const url = await postgres.createStoreDatabase();
  const [row] = await onDatabase(url, NAME);
  const name = String(row?.name);
  const store = await postgres.open(url);
  const admin = postgres.server().url();
  return {
    store,
    mark: async () => {
      await onDatabase(admin, `alter database ${name} allow_connections false`, others(name), `create database ${name}_standby template ${name}`, `alter database ${name} allow_connections true`, `alter database ${name}_standby allow_connections true`);
    },
    setBack: async () => {
      await onDatabase(admin, `alter database ${name} allow_connections false`, others(name), `alter database ${name} rename to ${name}_lost`, `alter database ${name}_standby rename to ${name}`);
      return store;
    },
    remove: () => store.close(),
  };
});
