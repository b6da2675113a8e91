import { migrationsContract } from '@tollgate/sql-common/testing';
import Database from 'better-sqlite3';
import { openConnection, type SqliteConnection, stopBlocking } from '../file/sqlite-connection.js';
import { storeFile } from '../test-support/stores.js';
import { migrateSqlite, SQLITE_MIGRATIONS } from './migrate-sqlite.js';

migrationsContract('SQLite', async () => {
  const place = storeFile();
  const onConnection = async <T>(task: (connection: SqliteConnection) => Promise<T>): Promise<T> => {
    const connection = openConnection(place.file);
    try {
      return await task(connection);
    } finally {
      connection.close();
    }
  };
  return {
    steps: Object.keys(SQLITE_MIGRATIONS),
    migrate: (later = {}) => onConnection(async (connection) => {
      stopBlocking(connection);
      const taken: string[] = [];
      await migrateSqlite(connection, { migrations: { ...SQLITE_MIGRATIONS, ...later }, onMigrated: (step) => void taken.push(step) });
      return taken;
    }),
    run: async (statement) => {
      const direct = new Database(place.file);
      try {
        const prepared = direct.prepare(statement);
        return prepared.reader ? prepared.all() : prepared.run();
      } finally {
        direct.close();
      }
    },
    close: async () => place.remove(),
  };
});
