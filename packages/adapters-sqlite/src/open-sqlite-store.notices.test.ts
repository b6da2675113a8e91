import { modelNoticesContract } from '@tollgate/testkit';
import { machinesOver, OTHER_PROCESS } from '@tollgate/sql-common/testing';
import { storeFile } from './test-support/stores.js';

modelNoticesContract('SQLite file', async () => {
  const place = storeFile();
  const store = await place.open();
  const other = await place.open(OTHER_PROCESS);
  return { ...machinesOver(store, other, () => place.remove()), store, other };
});
