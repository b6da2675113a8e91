import { webhooksContract } from '@tollgate/testkit';
import { OTHER_PROCESS, webhooksOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open } = postgresFixture();

webhooksContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return webhooksOver(await open(url), await open(url, { processId: OTHER_PROCESS }));
});
