import { eventsContract, usageFeedContract } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew } = postgresFixture();

eventsContract('PostgreSQL', openNew);
usageFeedContract('PostgreSQL', openNew);
