import { webhooksContract } from '@tollgate/testkit';
import { OTHER_PROCESS, webhooksOver } from '@tollgate/sql-common/testing';
import { storeFile } from './test-support/stores.js';

webhooksContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  return webhooksOver(store, await place.open(OTHER_PROCESS), () => place.remove());
});
