import { damageSqliteFile } from '../../sqlite/test-support/damage-sqlite-file.js';
import { onDatabase, postgresFixture, WITHOUT_RULES } from '../../postgres/test-support/postgres-stores.js';
import { requestBooksContract } from '../test-support/request-books-contract.js';
import { storeFile } from '../../sqlite/test-support/stores.js';

const postgres = postgresFixture();

requestBooksContract('SQLite file', async () => {
  const place = storeFile();
  return { store: await place.open(), damage: (statement) => damageSqliteFile(place.file, statement), remove: () => place.remove() };
});

requestBooksContract('PostgreSQL', async () => {
  const url = await postgres.createStoreDatabase();
  return {
    store: await postgres.open(url),
    damage: async (statement) => {
      await onDatabase(url, ...WITHOUT_RULES, statement);
    },
    remove: () => undefined,
  };
});
