import { historyExtent, ledgerHistoryContract } from '@tollgate/testkit';
import { postgresFixture } from '../test-support/postgres-stores.js';

const { openNew, takeBackDatabases } = postgresFixture();

ledgerHistoryContract('PostgreSQL', () => {
  takeBackDatabases();
  return openNew();
}, historyExtent('postgres', 4));
