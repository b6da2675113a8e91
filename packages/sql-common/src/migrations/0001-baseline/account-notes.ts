import type { Kysely } from 'kysely';

/** Notes of operators about accounts. They are deleted when the account is erased. */
export async function createAccountNotes(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('account_notes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('written_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint')
    .execute();
  await db.schema.createIndex('account_notes_by_account').on('account_notes').columns(['account_id', 'written_at', 'id']).execute();
}
