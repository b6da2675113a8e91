import { topUpsContract } from '@tollgate/testkit';
import { paymentsOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openTwo } = postgresFixture();

topUpsContract('PostgreSQL', async () => paymentsOver(...await openTwo()));
