import { historyExtent, ledgerHistoryContract } from '@tollgate/testkit';
import { postgresFixture } from '../test-support/postgres-stores.js';

const { openNew } = postgresFixture();

ledgerHistoryContract('PostgreSQL', openNew, historyExtent('postgres', 4));
