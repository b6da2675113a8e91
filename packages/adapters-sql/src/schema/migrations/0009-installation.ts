import { type Kysely, sql } from 'kysely';

/** Remembers which secret the gateways of this database share, so that one with another secret does not start. */
export async function createInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('installation')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('recorded_at', 'bigint', (column) => column.notNull())
    .execute();
}
