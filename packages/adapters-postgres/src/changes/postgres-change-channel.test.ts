import { SystemClock } from '@tollgate/adapters-node';
import { changeNotificationsContract } from '@tollgate/testkit';
import { ConnectionPool } from '../connection/connection-pool.js';
import { CHANGE_CHANNEL } from '../schema/migrate-postgres.js';
import { onDatabase, postgresFixture } from '../test-support/postgres-stores.js';
import { PostgresChangeChannel } from './postgres-change-channel.js';

const postgres = postgresFixture();

changeNotificationsContract('PostgreSQL', async () => {
  const url = await postgres.createDatabase();
  const pool = new ConnectionPool(url, 2);
  return {
    open: () => Promise.resolve(new PostgresChangeChannel({ url, clock: new SystemClock(), pool })),
    sendRaw: async (message) => void await onDatabase(url, `select pg_notify('${CHANGE_CHANNEL}', '${message}')`),
    breakConnections: async () => void await onDatabase(url, `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen ${CHANGE_CHANNEL}'`),
    close: () => pool.close(),
  };
});
