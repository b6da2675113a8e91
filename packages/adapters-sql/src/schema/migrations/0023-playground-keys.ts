import type { Kysely } from 'kysely';

/** The key of an account's playground has an id and no secret: in a table of its own, nothing that lists, counts or looks up keys can find it. */
export async function createPlaygroundKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('playground_keys')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}
