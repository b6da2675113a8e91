import { vouchersContract } from '@tollgate/testkit';
import { vouchersOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openTwo } = postgresFixture();

vouchersContract('PostgreSQL', async () => vouchersOver(...await openTwo()));
