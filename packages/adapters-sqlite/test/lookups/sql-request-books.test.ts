import { requestBooksContract } from '@tollgate/sql-common/testing';
import { damageSqliteFile, storeFile } from '../../src/test-support/stores.js';

requestBooksContract('SQLite file', async (fill) => {
  const place = storeFile();
  const store = await place.open();
  await fill(store);
  return { store, damage: (statement) => damageSqliteFile(place.file, statement), remove: () => place.remove() };
});
