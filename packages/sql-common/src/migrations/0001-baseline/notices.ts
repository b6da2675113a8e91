import type { Kysely } from 'kysely';

/** Notices of model changes that accounts received by mail. */
export async function createNotices(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('model_notices')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('notice', 'text', (column) => column.notNull())
    .addColumn('mailed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_notices_key', ['account_id', 'notice'])
    .execute();
  await db.schema.createIndex('model_notices_by_age').on('model_notices').column('mailed_at').execute();
}
