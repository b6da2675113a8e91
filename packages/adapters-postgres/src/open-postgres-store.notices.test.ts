import { modelNoticesContract } from '@tollgate/testkit';
import { machinesOver, OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open } = postgresFixture();

modelNoticesContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  const [store, other] = [await open(url), await open(url, { processId: OTHER_PROCESS })];
  return { ...machinesOver(store, other), store, other };
});
