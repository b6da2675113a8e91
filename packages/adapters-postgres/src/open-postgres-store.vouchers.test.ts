import { vouchersContract } from '@tollgate/testkit';
import { OTHER_PROCESS, vouchersOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open } = postgresFixture();

vouchersContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return vouchersOver(await open(url), await open(url, { processId: OTHER_PROCESS }));
});
