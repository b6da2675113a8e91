import { type Kysely, sql } from 'kysely';
import { MAXIMUM_UNITS } from '../schema/column-values.js';
import type { SchemaDialect } from './migrate.js';

/** Accounts with their balances, and the keys they hold. */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('email_verified', 'smallint', (column) => column.notNull())
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('balance', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addCheckConstraint('accounts_balance', sql`balance >= 0 and balance <= ${sql.lit(MAXIMUM_UNITS)}`)
    .addCheckConstraint('accounts_reserved', sql`reserved >= 0 and reserved <= balance`)
    .execute();
  await db.schema.createIndex('accounts_by_age').on('accounts').columns(['created_at', 'id']).execute();
}

export async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('replaces', 'text')
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').columns(['account_id', 'created_at']).execute();
}

/** Reservations and the leases of the processes that own them. */
export async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('reservations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount >= 0`))
    .addColumn('state', 'text', (column) => column.notNull().check(sql`state in ('held', 'settled', 'released', 'expired')`))
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('progress', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('reservations_held').on('reservations').columns(['owner_id', 'expires_at'])
    .where(sql.ref('state'), '=', sql.lit('held')).execute();
  await db.schema.createTable('process_leases')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('host', 'text')
    .addColumn('pid', 'bigint')
    .addColumn('start_marker', 'text')
    .execute();
}

/** The append-only entries. A reservation has at most one entry of each kind; a reference credits an account once. */
export async function createLedgerEntries(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('ledger_entries')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('kind', 'text', (column) => column.notNull()
      .check(sql`kind in ('top-up', 'charge', 'write-off', 'late-charge', 'late-write-off')`))
    .addColumn('debit_account', 'text', (column) => column.notNull())
    .addColumn('credit_account', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('request_id', 'text')
    .addColumn('reservation_id', 'text', (column) => column.references('reservations.id'))
    .addColumn('reference', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addCheckConstraint('ledger_entries_sides', sql`debit_account <> credit_account`)
    .execute();
  await db.schema.createIndex('ledger_entries_by_reservation').on('ledger_entries').columns(['reservation_id', 'kind'])
    .unique().where(sql.ref('reservation_id'), 'is not', null).execute();
  await db.schema.createIndex('ledger_entries_by_reference').on('ledger_entries').columns(['credit_account', 'reference'])
    .unique().where(sql.ref('reference'), 'is not', null).execute();
  await dialect.makeAppendOnly(db, 'ledger_entries');
}

/** What operators switch. */
export async function createPlatform(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('platform_settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createTable('network_blocks')
    .addColumn('network', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text')
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createTable('incident_limits')
    .addColumn('model', 'text', (column) => column.primaryKey())
    .addColumn('requests_per_minute', 'bigint')
    .addColumn('tokens_per_minute', 'bigint')
    .addColumn('concurrent_requests', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
}

/** The hash-chained record of who changed what. */
export async function createAuditTrail(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('audit_entries')
    .addColumn('seq', 'bigint', (column) => column.primaryKey().check(sql`seq > 0`))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await dialect.makeAppendOnly(db, 'audit_entries');
}
