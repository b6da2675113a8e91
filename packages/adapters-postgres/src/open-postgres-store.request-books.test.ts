import { requestBooksContract } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openDamageable } = postgresFixture();

requestBooksContract('PostgreSQL', openDamageable);
