import { vouchersContract } from '@tollgate/testkit';
import { OTHER_PROCESS, vouchersOver } from '@tollgate/sql-common/testing';
import { storeFile } from './test-support/stores.js';

vouchersContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  return vouchersOver(store, await place.open(OTHER_PROCESS), () => place.remove());
});
