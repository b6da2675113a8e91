import { migrationsContract } from '@tollgate/sql-common/testing';
import { onDatabase, postgresFixture } from '../test-support/postgres-stores.js';
import { migratePostgres, POSTGRES_MIGRATIONS } from './migrate-postgres.js';

const postgres = postgresFixture();

migrationsContract('PostgreSQL', async () => {
  const url = await postgres.createDatabase();
  return {
    steps: Object.keys(POSTGRES_MIGRATIONS),
    migrate: async (later = {}) => {
      const taken: string[] = [];
      await migratePostgres(url, { migrations: { ...POSTGRES_MIGRATIONS, ...later }, onMigrated: (step) => void taken.push(step) });
      return taken;
    },
    run: (statement) => onDatabase(url, statement),
    close: () => Promise.resolve(),
  };
});
