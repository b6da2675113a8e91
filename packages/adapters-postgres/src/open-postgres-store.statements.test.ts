import { statementHistoryContract, statementsContract, type StatementsSubject } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openTwo } = postgresFixture();

async function statementsSubject(): Promise<StatementsSubject> {
  const [store, other] = await openTwo();
  const close = async (): Promise<void> => {
    await other.close();
    await store.close();
  };
  return { ...store, other, close };
}

statementsContract('PostgreSQL', statementsSubject);
statementHistoryContract('PostgreSQL', statementsSubject, 6);
