import { backgroundEventsContract, eventsContract, usageFeedContract } from '@tollgate/testkit';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openNew } = postgresFixture();

backgroundEventsContract('PostgreSQL', openNew);
eventsContract('PostgreSQL', openNew);
usageFeedContract('PostgreSQL', openNew);
