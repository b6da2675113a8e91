import { ManualClock } from '@tollgate/adapters-memory';
import { openPostgresStore } from '@tollgate/adapters-postgres';
import type { ProcessId } from '@tollgate/core';
import { type PostgresServer, type PreparedCluster, startPostgresServer } from '@tollgate/testkit';

const PROCESS = 'process_migration' as ProcessId;

const MIGRATED: PreparedCluster = {
  name: 'migrated',
  prepare: async (server) => {
    const store = await openPostgresStore({ url: server.url(), clock: new ManualClock(), processId: PROCESS, leaseClock: 'caller' });
    await store.close();
  },
};

/** The server's database `postgres` has the schema, which a test run creates once. */
export function startMigratedPostgres(): Promise<PostgresServer> {
  return startPostgresServer({ prepared: MIGRATED });
}
