import { modelNoticesContract } from '@tollgate/testkit';
import { machinesOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openTwo } = postgresFixture();

modelNoticesContract('PostgreSQL', async () => {
  const [store, other] = await openTwo();
  return { ...machinesOver(store, other), store, other };
});
