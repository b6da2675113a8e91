import type { SchemaDialect } from '@tollgate/sql-common';
import { type Kysely, sql } from 'kysely';
import { announceChanges, announceKeyChanges, announcePlatformTable } from './announce-changes.js';
import { bookEndings, settleLate } from './book-endings.js';
import { decideMoneyWithinLimits } from './decide-money-within-limits.js';
import { decideMoney } from './decide-money.js';

/**
 * The functions that the money path calls. Their names end in a version: a later release adds a new one beside the old,
 * so that gateways of two releases may work on one database while the one replaces the other.
 */
async function createMoneyFunctions(db: Kysely<unknown>, version: 1 | 2): Promise<void> {
  for (const definition of [bookEndings, settleLate, decideMoney]) await sql.raw(definition(version)).execute(db);
}

/** Version 3 sets aside what is available where that reaches a floor; endings are booked as in version 2. */
async function createPartialReservations(db: Kysely<unknown>): Promise<void> {
  await sql.raw(decideMoney(3)).execute(db);
}

/** Version 4 keeps the spending limits of keys; endings are booked as in version 2. */
async function createLimitedReservations(db: Kysely<unknown>): Promise<void> {
  await sql.raw(decideMoneyWithinLimits(4)).execute(db);
}

/** Version 5 books endings in version 3, with the upstream that served and when they were booked. */
async function createDatedSettlements(db: Kysely<unknown>): Promise<void> {
  for (const definition of [bookEndings(3), settleLate(3), decideMoneyWithinLimits(5)]) await sql.raw(definition).execute(db);
}

/** What the functions know a repeated extension by. */
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
        await createMoneyFunctions(db, 1);
        await announceChanges(db);
      },
    },
    '0005-withheld-reasoning-postgresql': { up: (db: Kysely<unknown>) => createMoneyFunctions(db, 2) },
    '0007-partial-reservations-postgresql': { up: createPartialReservations },
    '0011a-key-models-postgresql': { up: (db: Kysely<unknown>) => announceKeyChanges(db, BOUND_TO_MODELS) },
    '0011b-key-limits-postgresql': {
      up: async (db: Kysely<unknown>) => {
        await createLimitedReservations(db);
        await announceKeyChanges(db, [...BOUND_TO_MODELS, 'limit_amount', 'limit_period']);
      },
    },
    '0021-usage-settlements-postgresql': { up: createDatedSettlements },
  },
};
