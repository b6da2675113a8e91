import { ledgerHistoryContract } from '@tollgate/testkit';
import { postgresFixture } from '../test-support/postgres-stores.js';

const { openNew } = postgresFixture();

ledgerHistoryContract('PostgreSQL', openNew, { runs: 12, steps: 50 });
