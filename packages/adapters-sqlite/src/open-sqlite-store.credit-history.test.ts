import { creditHistoryContract, historyExtent } from '@tollgate/testkit';
import { OTHER_PROCESS, paymentsOver } from '@tollgate/sql-common/testing';
import { storeFile } from './test-support/stores.js';

creditHistoryContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  return paymentsOver(store, await place.open(OTHER_PROCESS), () => place.remove());
}, historyExtent('credits', 12));
