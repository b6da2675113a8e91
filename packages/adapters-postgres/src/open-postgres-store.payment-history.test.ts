import { paymentHistoryContract } from '@tollgate/testkit';
import { OTHER_PROCESS, paymentsOver } from '@tollgate/sql-common/testing';
import { postgresFixture } from './test-support/postgres-stores.js';

const { lendStoreDatabase, open, takeBackDatabases } = postgresFixture();

paymentHistoryContract('PostgreSQL', async () => {
  const url = await lendStoreDatabase();
  return paymentsOver(await open(url), await open(url, { processId: OTHER_PROCESS }), takeBackDatabases);
}, { histories: Number(process.env['PAYMENT_HISTORIES'] ?? '4') });
