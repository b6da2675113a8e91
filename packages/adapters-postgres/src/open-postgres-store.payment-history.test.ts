import { postgresQueries, SqlPaymentRecords } from '@tollgate/sql-common';
import { historyExtent, paymentHistoryContract } from '@tollgate/testkit';
import { cutScript, dyingRunner, OTHER_PROCESS, paymentsOver } from '@tollgate/sql-common/testing';
import { openClient } from './connection/open-client.js';
import { sessionOn } from './connection/session.js';
import { withTimeout } from './connection/with-timeout.js';
import { BEGIN_WRITING, runThrough } from './postgres-script-runner.js';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open, takeBackDatabases } = postgresFixture();

/** Payment records whose connection the server ends within each transaction, as if the process had died. */
function dying(url: string, statements: number): SqlPaymentRecords {
  return new SqlPaymentRecords(postgresQueries(), dyingRunner(async (script) => {
    const client = await openClient(url, 'short');
    const session = sessionOn(client);
    try {
      await session.queries(BEGIN_WRITING);
      return (await runThrough(session, cutScript(script(), statements))).result;
    } finally {
      await session.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
      await withTimeout(client.end());
    }
  }));
}

paymentHistoryContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return { ...paymentsOver(await open(url), await open(url, { processId: OTHER_PROCESS }), takeBackDatabases), dying: (statements) => dying(url, statements) };
}, historyExtent('payments', 4));
