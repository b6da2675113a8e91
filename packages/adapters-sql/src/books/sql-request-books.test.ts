import { damageSqliteFile } from '../test-support/damage-sqlite-file.js';
import { postgresFixture, onDatabase, WITHOUT_RULES } from '../test-support/postgres-stores.js';
import { requestBooksContract } from '../test-support/request-books-contract.js';
import { storeFile } from '../test-support/stores.js';

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
