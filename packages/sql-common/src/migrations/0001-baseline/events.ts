import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

async function createEventTable(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('events')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('external_id', 'text')
    .addColumn('account_sequence', 'bigint')
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.unique())
    .addCheckConstraint('events_of_accounts', sql`(account_id is null) = (account_sequence is null)`)
    .execute();
  await db.schema.createIndex('events_without_position').on('events').column('seq').where(sql.ref('position'), 'is', null).execute();
  // Unique, so that each number is assigned once within an account. The account's events have the same order by this number as by position.
  await db.schema.createIndex('events_by_account').on('events').columns(['account_id', 'account_sequence']).unique()
    .where(sql.ref('account_id'), 'is not', null).execute();
}

/** Alerts that owners receive by mail, and the last event that was examined for alerts. `waiting` contains the ids of events for the next message. */
async function createAlertTables(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('account_alerts')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('disabled', 'smallint', (column) => column.notNull().defaultTo(0))
    .addColumn('mailed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('waiting', 'text')
    .addPrimaryKeyConstraint('account_alerts_key', ['account_id', 'kind'])
    .execute();
  await db.schema.createIndex('account_alerts_waiting').on('account_alerts').columns(['mailed_at', 'account_id', 'kind'])
    .where(sql.ref('waiting'), 'is not', null).execute();
  await db.schema.createTable('alert_cursor')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('position', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into alert_cursor (id, position) values (1, 0)`.execute(db);
}

/** Events that are caused neither by an act nor by a booking. A row per cause ensures that each is stored once. */
async function createNoticed(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('reached_caps')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('reached_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('reached_caps_key', ['account_id', 'period'])
    .execute();
  await db.schema.createTable('conditions')
    .addColumn('condition', 'text', (column) => column.primaryKey())
    .addColumn('named_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_after', 'bigint', (column) => column.notNull())
    .execute();
}

/**
 * Events, the last position that the feed has assigned, and the alert policy for owners who have chosen no thresholds. While a new policy is being
 * applied, `applied_through` is the last account to which it applies.
 */
export async function createEvents(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createEventTable(db, dialect);
  await createAlertTables(db);
  await createNoticed(db);
  await db.schema.createTable('event_feed')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('last_position', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into event_feed (id, last_position) values (1, 0)`.execute(db);
  await db.schema.createTable('alert_policy')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('thresholds', 'text', (column) => column.notNull())
    .addColumn('minimum_reservation', 'bigint', (column) => column.notNull())
    .addColumn('applied_through', 'text')
    .execute();
  await sql`insert into alert_policy (id, thresholds, minimum_reservation) values (1, '20%,5%', 1000000)`.execute(db);
}
