import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { migrate, type MigrationSource, migrationsFor, type SchemaDialect } from '@tollgate/sql-common';
import { Pool } from 'pg';
import { clientConfig, sessionSettings } from '../connection/client-config.js';
import { CREATE_SCRIPT_COMMITS } from '../connection/commit-marks.js';

/** Channel of the change notifications. Triggers send them within the transaction of the change. */
export const CHANGE_CHANNEL = 'tollgate_changes';

interface Announcement {
  readonly table: string;
  /** Event of the trigger. It excludes columns that settlements change. */
  readonly when: string;
  readonly kind: 'account' | 'key' | 'platform';
}

const ANNOUNCEMENTS: readonly Announcement[] = [
  { table: 'accounts', kind: 'account', when: 'delete or update of email, name, plan_id, price_list, status, email_verified, blocked' },
  { table: 'api_keys', kind: 'key', when: 'delete or update of name, hash, expires_at, revoked_at, blocked, models, limit_amount, limit_period' },
  ...['platform_settings', 'blocks', 'incident_limits'].map((table): Announcement => (
    { table, kind: 'platform', when: 'insert or delete or update' })),
];

/** Creates a trigger on each table that gateways cache. */
async function announceChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tollgate_announce_change() returns trigger language plpgsql as $$
    begin
      if tg_argv[0] = 'platform' then
        perform pg_notify(${sql.lit(CHANGE_CHANNEL)}, 'platform');
      else
        perform pg_notify(${sql.lit(CHANGE_CHANNEL)}, tg_argv[0] || ':' || old.id);
      end if;
      return null;
    end $$
  `.execute(db);
  for (const { table, when, kind } of ANNOUNCEMENTS) {
    await sql`
      create trigger ${sql.id(`${table}_announced`)} after ${sql.raw(when)} on ${sql.table(table)}
      for each row execute function tollgate_announce_change(${sql.lit(kind)})
    `.execute(db);
  }
}

/**
 * Creates the functions of `sql/NAME.sql`. Their names end in a version. A release adds new versions and keeps the old ones, so that gateways of two
 * releases can share a database during an upgrade. Released files never change.
 */
async function createFunctions(db: Kysely<unknown>, name: string): Promise<void> {
  await sql.raw(readFileSync(new URL(`../../sql/${name}.sql`, import.meta.url), 'utf8')).execute(db);
}

/** Adds the columns that identify repeated extensions. */
async function addExtender(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('extender', 'text').addColumn('extension', 'bigint').execute();
}

/** Creates one function for all append-only tables; each trigger reports its own table. */
async function createRefusal(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function tollgate_refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$
  `.execute(db);
}

/** Identity columns for sequences, and triggers that refuse changes of append-only tables. */
const postgresSchemaDialect: SchemaDialect = {
  sequenceType: 'bigint',
  sequence: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
  makeAppendOnly: async (db, table) => {
    await createRefusal(db);
    await sql`
      create trigger ${sql.id(`${table}_no_change`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function tollgate_refuse_change()
    `.execute(db);
  },
  ownSteps: {
    '0001-baseline-postgresql': {
      up: async (db: Kysely<unknown>) => {
        await addExtender(db);
        await createFunctions(db, 'events');
        await createFunctions(db, 'money');
        await createFunctions(db, 'usage-feed');
        await announceChanges(db);
        await sql.raw(CREATE_SCRIPT_COMMITS).execute(db);
      },
    },
  },
};

export const POSTGRES_MIGRATIONS = migrationsFor(postgresSchemaDialect);

/** Key of the session lock of migrations. It is the same in every version of Tollgate. */
const MIGRATION_LOCK = 7_086_190_022;

/** Processes that start concurrently wait until one has migrated, however long that takes. Throws what `onEmpty` throws. */
export async function migratePostgres(url: string, source: MigrationSource): Promise<void> {
  // A single connection that is never closed as idle, because it holds the session lock.
  const pool = new Pool({ ...clientConfig(url, 'long'), max: 1, idleTimeoutMillis: 0 });
  // A migration step on a broken connection fails. Without a listener, an `error` event would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  try {
    await pool.query(sessionSettings('long'));
    await pool.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const hasTable = async (name: string): Promise<boolean> => (await pool.query('select 1 where to_regclass($1) is not null', [name])).rows.length > 0;
    await migrate({ db, hasTable }, source);
  } finally {
    await pool.end();
  }
}
