import { webhooksContract } from '@tollgate/testkit';
import { webhooksOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openTwo } = postgresFixture();

webhooksContract('PostgreSQL', async () => webhooksOver(...await openTwo()));
