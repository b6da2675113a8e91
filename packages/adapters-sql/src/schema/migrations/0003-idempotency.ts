import { type Kysely, sql } from 'kysely';

/** Requests that their clients may send again, for as long as they are kept. */
export async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('idempotency_keys')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('finished', 'smallint', (column) => column.notNull())
    .addColumn('reply', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_keys_by_expiry').on('idempotency_keys').column('expires_at').execute();
  await db.schema.createIndex('idempotency_keys_running').on('idempotency_keys').column('owner_id')
    .where(sql.ref('finished'), '=', sql.lit(0)).execute();
}
