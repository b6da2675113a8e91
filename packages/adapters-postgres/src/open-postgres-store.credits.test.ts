import { creditsContract } from '@tollgate/testkit';
import { OTHER_PROCESS, paymentsOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open, takeBackDatabases } = postgresFixture();

creditsContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return paymentsOver(await open(url), await open(url, { processId: OTHER_PROCESS }), takeBackDatabases);
});
