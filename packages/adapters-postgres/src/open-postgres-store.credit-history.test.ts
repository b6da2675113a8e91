import { creditHistoryContract, historyExtent } from '@tollgate/testkit';
import { OTHER_PROCESS, paymentsOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open, takeBackDatabases } = postgresFixture();
const { seed, histories } = historyExtent('credits', 20);

creditHistoryContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return paymentsOver(await open(url), await open(url, { processId: OTHER_PROCESS }), takeBackDatabases);
}, { seed, histories: Math.ceil(histories / 5) });
