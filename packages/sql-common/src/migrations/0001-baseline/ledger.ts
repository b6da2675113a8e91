import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';
import { isOneOf } from './is-one-of.js';

const ENTRY_KINDS = [
  'top-up', 'charge', 'write-off', 'late-charge', 'late-write-off', 'signup-credit', 'refund', 'correction', 'forfeiture',
  'voucher', 'payment', 'payment-refund', 'dispute', 'expiry',
];

/** The customer's account of an entry, whether it pays or is paid. */
const CUSTOMER = sql`case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end`;

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('reservations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount >= 0`))
    .addColumn('state', 'text', (column) => column.notNull().check(isOneOf('state', ['held', 'settled', 'released', 'expired'])))
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('progress', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('key_lineage', 'text')
    .addColumn('key_period', 'text')
    .addColumn('key_limit', 'bigint')
    .execute();
  await db.schema.createIndex('reservations_held').on('reservations').columns(['owner_id', 'expires_at'])
    .where(sql.ref('state'), '=', sql.lit('held')).execute();
}

/** Keys without a limit have no row, so their requests write none. */
async function createKeySpending(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('key_spending')
    .addColumn('lineage', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('spent', 'bigint', (column) => column.notNull().check(sql`spent >= 0`))
    .addColumn('reserved', 'bigint', (column) => column.notNull().check(sql`reserved >= 0`))
    .addPrimaryKeyConstraint('key_spending_pkey', ['lineage', 'period'])
    .execute();
}

async function createProcessLeases(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('process_leases')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('renewed_at', 'bigint')
    .addColumn('host', 'text')
    .addColumn('pid', 'bigint')
    .addColumn('start_marker', 'text')
    .execute();
}

/** A reservation has at most one entry of each kind. A reference is unique within an account, over all kinds and both sides. */
async function indexLedgerEntries(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('ledger_entries_by_reservation').on('ledger_entries').columns(['reservation_id', 'kind'])
    .unique().where(sql.ref('reservation_id'), 'is not', null).execute();
  await sql`create unique index ledger_entries_by_reference on ledger_entries (reference, (${CUSTOMER})) where reference is not null`.execute(db);
  await db.schema.createIndex('ledger_entries_of_refunds').on('ledger_entries').column('request_id')
    .where(sql.ref('kind'), '=', sql.lit('refund')).execute();
  // Excludes entries of requests, which have a reservation. Settlements write neither to this index nor to the two created before it.
  await sql`create index ledger_entries_of_money_acts on ledger_entries ((${CUSTOMER}), seq) where reservation_id is null`.execute(db);
}

async function createLedgerEntries(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('ledger_entries')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('kind', 'text', (column) => column.notNull().check(isOneOf('kind', ENTRY_KINDS)))
    .addColumn('debit_account', 'text', (column) => column.notNull())
    .addColumn('credit_account', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('request_id', 'text')
    .addColumn('reservation_id', 'text', (column) => column.references('reservations.id'))
    .addColumn('reference', 'text')
    .addColumn('reason', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addCheckConstraint('ledger_entries_sides', sql`debit_account <> credit_account`)
    .execute();
  await indexLedgerEntries(db);
  await dialect.makeAppendOnly(db, 'ledger_entries');
}

/** Reservations, the spending counted against the limits of keys, the leases of processes, and the append-only entries. */
export async function createLedger(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createReservations(db);
  await createKeySpending(db);
  await createProcessLeases(db);
  await createLedgerEntries(db, dialect);
}
