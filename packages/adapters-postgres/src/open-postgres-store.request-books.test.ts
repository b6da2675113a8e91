import { requestBooksContract } from '@tollgate/sql-common/testing';
import { onDatabase, postgresFixture, WITHOUT_RULES } from './test-support/postgres-stores.js';

const { createStoreDatabase, open } = postgresFixture();

requestBooksContract('PostgreSQL', async () => {
  const url = await createStoreDatabase();
  const damage = async (statement: string): Promise<void> => {
    await onDatabase(url, ...WITHOUT_RULES, statement);
  };
  return { store: await open(url), damage, remove: () => undefined };
});
