import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';
import { isOneOf } from './is-one-of.js';

const STATES = ['open', 'paid', 'partly-refunded', 'refunded', 'disputed', 'dispute-won', 'dispute-lost', 'failed', 'expired', 'unbookable'];

async function createPaymentTable(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('payments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('reference', 'text')
    .addColumn('origin', 'text', (column) => column.notNull().check(isOneOf('origin', ['checkout', 'top-up'])))
    .addColumn('state', 'text', (column) => column.notNull().check(isOneOf('state', STATES)))
    .addColumn('problem', 'text')
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull().check(sql`tokens > 0`))
    .addColumn('credit_expires_after_days', 'bigint')
    .addColumn('package_id', 'text')
    .addColumn('saves_method', 'bigint', (column) => column.notNull())
    .addColumn('booked_at', 'bigint')
    .addColumn('refunded', 'bigint', (column) => column.notNull().check(sql`refunded >= 0`))
    .addColumn('uncovered', 'bigint', (column) => column.notNull().check(sql`uncovered >= 0`))
    .addColumn('customer', 'text')
    .addColumn('method', 'text')
    .addColumn('invoice_url', 'text')
    .addColumn('url', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('checked_at', 'bigint')
    .addColumn('next_check_at', 'bigint')
    .execute();
  await db.schema.createIndex('payments_by_reference').on('payments').columns(['provider', 'reference']).unique().where(sql.ref('reference'), 'is not', null).execute();
  await db.schema.createIndex('payments_newest').on('payments').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('payments_of_accounts').on('payments').columns(['account_id', 'created_at', 'id']).execute();
  await db.schema.createIndex('payments_by_state').on('payments').columns(['state', 'created_at', 'id']).execute();
  await db.schema.createIndex('payments_uncovered').on('payments').columns(['created_at', 'id']).where(sql<boolean>`uncovered > 0`).execute();
  await db.schema.createIndex('payments_to_check').on('payments').columns(['provider', 'next_check_at']).where(sql.ref('next_check_at'), 'is not', null).execute();
}

/** Payments, their refunds and disputes, refunds requested by operators, and checkouts of the sandbox. */
export async function createPayments(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createPaymentTable(db);
  await db.schema.createTable('payment_adjustments')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('payment_id', 'text', (column) => column.notNull().references('payments.id'))
    .addColumn('kind', 'text', (column) => column.notNull().check(isOneOf('kind', ['refund', 'dispute'])))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().check(isOneOf('status', ['done', 'failed', 'open', 'won', 'lost'])))
    .addColumn('claimed', 'bigint', (column) => column.notNull().check(sql`claimed >= 0`))
    .addColumn('uncovered', 'bigint', (column) => column.notNull().check(sql`uncovered >= 0`))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('payment_adjustments_once', ['payment_id', 'kind', 'id'])
    .execute();
  await db.schema.createTable('payment_refunds')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('payment_id', 'text', (column) => column.notNull().references('payments.id'))
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('state', 'text', (column) => column.notNull().check(isOneOf('state', ['requested', 'accepted', 'refused'])))
    .addColumn('reference', 'text')
    .addColumn('requested_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('payment_refunds_of_payments').on('payment_refunds').columns(['payment_id', 'requested_at', 'id']).execute();
  await db.schema.createIndex('payment_refunds_unconfirmed').on('payment_refunds').column('requested_at').where(sql.ref('state'), '=', sql.lit('requested')).execute();
  await db.schema.createTable('simulated_checkouts')
    .addColumn('reference', 'text', (column) => column.primaryKey())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
}
