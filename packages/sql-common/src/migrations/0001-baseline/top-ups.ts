import { type Kysely, sql } from 'kysely';

/** Settings of automatic top-up, and when each account is due. The charges are payments. */
export async function createTopUps(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('automatic_top_ups')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('enabled', 'bigint', (column) => column.notNull())
    .addColumn('threshold', 'bigint', (column) => column.notNull().check(sql`threshold > 0`))
    .addColumn('package_id', 'text')
    .addColumn('tokens', 'bigint', (column) => column.notNull().check(sql`tokens > 0`))
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('max_per_day', 'bigint', (column) => column.notNull().check(sql`max_per_day > 0`))
    .addColumn('monthly_amount', 'bigint', (column) => column.notNull().check(sql`monthly_amount > 0`))
    .addColumn('due_at', 'bigint')
    .addColumn('waits_for', 'text')
    .addColumn('declines', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('stop_reason', 'text')
    .addColumn('stopped_at', 'bigint')
    .execute();
  await db.schema.createIndex('automatic_top_ups_due').on('automatic_top_ups').columns(['due_at', 'account_id']).where(sql.ref('due_at'), 'is not', null).execute();
  // Even with several processes, an account has at most one charge in progress.
  await db.schema.createIndex('payments_open_top_up').on('payments').column('account_id').unique().where(sql<boolean>`origin = 'top-up' and state = 'open'`).execute();
}
