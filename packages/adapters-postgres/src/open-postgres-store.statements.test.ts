import { OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { statementHistoryContract, statementsContract, type StatementsSubject } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open } = postgresFixture();

async function openTwo(): Promise<StatementsSubject> {
  const url = await lendStoreDatabase();
  const [store, other] = [await open(url), await open(url, { processId: OTHER_PROCESS })];
  const close = async (): Promise<void> => {
    await other.close();
    await store.close();
  };
  return { ...store, other, close };
}

statementsContract('PostgreSQL', openTwo);
statementHistoryContract('PostgreSQL', openTwo, 6);
