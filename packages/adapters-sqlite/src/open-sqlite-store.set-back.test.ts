import { storeHistoryContract } from '@tollgate/sql-common/testing';
import { rmSync } from 'node:fs';
import { copyDatabase } from './copying/copy-database.js';
import { storeFile } from './test-support/stores.js';
import type { SqliteStore } from './open-sqlite-store.js';

storeHistoryContract('a SQLite file that is replaced by an older copy', async () => {
  const place = storeFile();
  let store: SqliteStore = await place.open();
  return {
    store,
    mark: () => copyDatabase(place.file, `${place.file}-copy`, () => undefined),
    setBack: async () => {
      await store.close();
      rmSync(place.file);
      await copyDatabase(`${place.file}-copy`, place.file, () => undefined);
      store = await place.open();
      return store;
    },
    remove: async () => {
      await store.close();
      place.remove();
    },
  };
});
