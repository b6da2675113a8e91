import { requestBooksContract } from '@tollgate/sql-common/testing';
import { damageSqliteFile, storeFile } from '../../src/test-support/stores.js';

requestBooksContract('SQLite file', async () => {
  const place = storeFile();
  return { store: await place.open(), damage: (statement) => damageSqliteFile(place.file, statement), remove: () => place.remove() };
});
