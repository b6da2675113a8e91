import { readFileSync } from 'node:fs';
import type { SchemaDialect } from '@tollgate/sql-common';
import { type Kysely, sql } from 'kysely';
import { announceChanges, announceKeyChanges, announcePlatformTable } from './announce-changes.js';

/**
 * Creates functions of the money path from the files `sql/NAME.sql`. Each name ends in a version: a release adds a version beside the old one,
 * so that gateways of two releases can work on one database during an upgrade. A released file never changes.
 */
async function createFunctions(db: Kysely<unknown>, ...names: readonly string[]): Promise<void> {
  for (const name of names) await sql.raw(readFileSync(new URL(`../../sql/${name}.sql`, import.meta.url), 'utf8')).execute(db);
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
        await createFunctions(db, 'book-endings-1', 'settle-late-1', 'money-1');
        await announceChanges(db);
      },
    },
    '0005-withheld-reasoning-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'book-endings-2', 'settle-late-2', 'money-2') },
    '0007-partial-reservations-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'money-3') },
    '0011a-key-models-postgresql': { up: (db: Kysely<unknown>) => announceKeyChanges(db, BOUND_TO_MODELS) },
    '0011b-key-limits-postgresql': {
      up: async (db: Kysely<unknown>) => {
        await createFunctions(db, 'money-4');
        await announceKeyChanges(db, [...BOUND_TO_MODELS, 'limit_amount', 'limit_period']);
      },
    },
    '0021-usage-settlements-postgresql': { up: (db: Kysely<unknown>) => createFunctions(db, 'book-endings-3', 'settle-late-3', 'money-5') },
  },
};
