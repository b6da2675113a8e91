import { readFileSync } from 'node:fs';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { migrate, migrationsFor, type MigrationSource, type SchemaDialect } from '@tollgate/sql-common';
import { Pool } from 'pg';
import { clientConfig, sessionSettings } from '../connection/connection-pool.js';

/** The channel on which the database itself tells of changes, in the transaction that makes them. */
export const CHANGE_CHANNEL = 'tollgate_changes';

interface Announcement {
  readonly table: string;
  /** Settlements must not announce anything, so the columns they write are not among these. */
  readonly when: string;
  readonly kind: 'account' | 'key' | 'platform';
}

const ANNOUNCEMENTS: readonly Announcement[] = [
  { table: 'accounts', kind: 'account', when: 'delete or update of email, name, plan_id, status, email_verified, blocked' },
  { table: 'api_keys', kind: 'key', when: 'delete or update of name, hash, expires_at, revoked_at, blocked' },
  ...['platform_settings', 'network_blocks', 'incident_limits'].map((table): Announcement => (
    { table, kind: 'platform', when: 'insert or delete or update' })),
];

/** Announces changes of further columns of keys: the trigger is created again with all of them. */
async function announceKeyChanges(db: Kysely<unknown>, columns: readonly string[]): Promise<void> {
  await sql`drop trigger api_keys_announced on api_keys`.execute(db);
  await sql`
    create trigger api_keys_announced after delete or update of ${sql.raw(columns.join(', '))} on api_keys
    for each row execute function tollgate_announce_change('key')
  `.execute(db);
}

/** Announces every change of one more table of the platform's state. */
async function announcePlatformTable(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    create trigger ${sql.id(`${table}_announced`)} after insert or delete or update on ${sql.table(table)}
    for each row execute function tollgate_announce_change('platform')
  `.execute(db);
}

/** Makes every change that others may have cached known to all who listen, whichever program makes it. */
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
 * Creates the functions of the file `sql/NAME.sql`. Each name ends in a version: a release adds a version beside the old one,
 * so that gateways of two releases can work on one database during an upgrade. A released file never changes.
 */
async function createFunctions(db: Kysely<unknown>, name: string): Promise<void> {
  await sql.raw(readFileSync(new URL(`../../sql/${name}.sql`, import.meta.url), 'utf8')).execute(db);
}

/** The money functions recognize a repeated extension by these columns. */
async function addExtender(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('extender', 'text').addColumn('extension', 'bigint').execute();
}

/** One function serves every table; the trigger tells it which. */
async function createRefusal(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function tollgate_refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name; end $$
  `.execute(db);
}

/** Of keys, what gateways keep of them, but for the limits that came later. */
const BOUND_TO_MODELS = ['name', 'hash', 'expires_at', 'revoked_at', 'blocked', 'models'];

/** PostgreSQL numbers rows by identity columns, and refuses changes by triggers. */
export const postgresSchemaDialect: SchemaDialect = {
  sequenceType: 'bigint',
  sequence: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
  makeAppendOnly: async (db, table) => {
    await createRefusal(db);
    await sql`
      create trigger ${sql.id(`${table}_no_change`)} before update or delete or truncate on ${sql.table(table)}
      for each statement execute function tollgate_refuse_change()
    `.execute(db);
  },
  allowChanges: async (db, table) => {
    await sql`drop trigger if exists ${sql.id(`${table}_no_change`)} on ${sql.table(table)}`.execute(db);
  },
  allowEntryKinds: async (db, { allowed }) => {
    const list = sql.join(allowed.map((kind) => sql.lit(kind)));
    await sql`
      alter table ledger_entries drop constraint ledger_entries_kind_check,
        add constraint ledger_entries_kind_check check (kind in (${list}))
    `.execute(db);
  },
  announcePlatform: announcePlatformTable,
  ownSteps: {
    '0002-postgresql': {
      up: async (db: Kysely<unknown>) => {
        await addExtender(db);
        await createFunctions(db, 'money-1');
        await announceChanges(db);
      },
    },
    '0005-withheld-reasoning-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'money-2') },
    '0007-partial-reservations-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'money-3') },
    '0011a-key-models-postgresql': { up: (db: Kysely<unknown>) => announceKeyChanges(db, BOUND_TO_MODELS) },
    '0011b-key-limits-postgresql': {
      up: async (db: Kysely<unknown>) => {
        await createFunctions(db, 'money-4');
        await announceKeyChanges(db, [...BOUND_TO_MODELS, 'limit_amount', 'limit_period']);
      },
    },
    '0021-usage-settlements-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'money-5') },
    '0027b-purchases-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'money-6') },
    '0036a-omitted-settings-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'money-7') },
  },
};

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
