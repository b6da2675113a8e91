import type { Kysely } from 'kysely';

/**
 * Versions of terms and privacy notice that people have agreed to. The rows are deleted with the person; the audit entry of the consent remains,
 * without personal texts.
 */
export async function createConsents(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('consents')
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('agreed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('consents_key', ['person_id', 'document', 'version'])
    .execute();
}
