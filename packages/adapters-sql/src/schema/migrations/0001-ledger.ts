import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../schema-dialect.js';

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
