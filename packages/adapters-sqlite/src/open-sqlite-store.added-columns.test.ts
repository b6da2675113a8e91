import { addedColumnsContract } from '@tollgate/sql-common/testing';
import Database from 'better-sqlite3';
import { storeFile } from './test-support/stores.js';

addedColumnsContract('SQLite', async () => {
  const place = storeFile();
  const store = await place.open();
  const other = new Database(place.file);
  return {
    store,
    workers: 2,
    age: () => undefined,
    tables: () => Promise.resolve(other.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").pluck().all()),
    run: (statement) => Promise.resolve(other.exec(statement)),
    close: async () => {
      other.close();
      await store.close();
      place.remove();
    },
  };
});
