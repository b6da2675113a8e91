import type { Kysely } from 'kysely';

/** Of secrets only hashes are stored. `scopes` and `networks` are JSON. */
export async function createMachines(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('machines')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('previous_hash', 'text', (column) => column.unique())
    .addColumn('previous_expires_at', 'bigint')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('networks', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute();
}
