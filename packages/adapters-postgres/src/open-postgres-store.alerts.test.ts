import { alertMailsContract } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew } = postgresFixture();

alertMailsContract('PostgreSQL', openNew);
