import { eventsContract } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew } = postgresFixture();

eventsContract('PostgreSQL', openNew);
