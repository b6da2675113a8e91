import { damagedStoreContract } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openDamageable } = postgresFixture();

damagedStoreContract('PostgreSQL', openDamageable);
