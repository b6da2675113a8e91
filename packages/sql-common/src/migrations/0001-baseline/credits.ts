import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

/** Credit snapshots, and the dates of expiries and notices derived from them. Settlements write to none of these tables. */
export async function createCredits(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('credit_snapshots')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('next_at', 'bigint')
    .addColumn('through_entry', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('newest_entry', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('ended_through', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('credits', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('credit_snapshots_due').on('credit_snapshots').columns(['next_at', 'account_id']).where(sql.ref('next_at'), 'is not', null).execute();
  await db.schema.createTable('credit_expiries')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('credit_entry', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('left_before', 'bigint', (column) => column.notNull().check(sql`left_before > 0`))
    .addColumn('available', 'bigint', (column) => column.notNull().check(sql`available > 0`))
    .addColumn('through_entry', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('credit_expiries_key', ['account_id', 'reference'])
    .execute();
  await dialect.makeAppendOnly(db, 'credit_expiries');
  await db.schema.createTable('credit_notices')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('credit_entry', 'bigint', (column) => column.notNull())
    .addColumn('days', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('credit_notices_key', ['account_id', 'credit_entry', 'days'])
    .execute();
}
