import { migrate, migrationsFor, type MigrationSource } from '@tollgate/sql-common';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { clientConfig, sessionSettings } from '../connection/connection-settings.js';
import { postgresSchemaDialect } from './postgres-schema-dialect.js';

/** Any number will do, as long as every version of Tollgate takes the same. */
const MIGRATION_LOCK = 7_086_190_022;

/** Brings the schema up to date. Of several that start at once, one does and the others wait for it, however long it takes. Passes on what `onEmpty` throws. */
export async function migratePostgres(url: string, listeners: Pick<MigrationSource, 'onMigrated' | 'onEmpty'>): Promise<void> {
  // One connection that stays, since the lock is its own and goes with it.
  const pool = new Pool({ ...clientConfig(url, 'long'), max: 1, idleTimeoutMillis: 0 });
  // The step that needed a broken connection fails with it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  try {
    await pool.query(sessionSettings('long'));
    await pool.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    await migrate(db, { migrations: migrationsFor(postgresSchemaDialect), ...listeners });
  } finally {
    await pool.end();
  }
}
