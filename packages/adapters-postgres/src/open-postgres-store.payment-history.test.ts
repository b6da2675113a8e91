import { paymentHistoryContract } from '@tollgate/testkit';
import { paymentsOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { openTwo, takeBackDatabases } = postgresFixture();

paymentHistoryContract('PostgreSQL', async () => paymentsOver(...await openTwo(), takeBackDatabases), { histories: Number(process.env['PAYMENT_HISTORIES'] ?? '4') });
