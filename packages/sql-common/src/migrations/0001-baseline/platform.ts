import { type Kysely, sql } from 'kysely';

/** Blocks of accounts, keys and networks. */
async function createBlocks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('blocks')
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind = 'account' or kind = 'key' or kind = 'network'`))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('blocked_by', 'text')
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addPrimaryKeyConstraint('blocks_key', ['kind', 'subject'])
    .execute();
  await db.schema.createIndex('blocks_by_age').on('blocks').columns(['blocked_at', 'kind', 'subject']).execute();
  await db.schema.createIndex('blocks_by_expiry').on('blocks').column('expires_at').where(sql.ref('expires_at'), 'is not', null).execute();
}

/** Settings of operators, and the fingerprint of the secret that the gateways of a database share. */
export async function createPlatform(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('platform_settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await createBlocks(db);
  await db.schema.createTable('incident_limits')
    .addColumn('model', 'text', (column) => column.primaryKey())
    .addColumn('set_at', 'bigint', (column) => column.notNull())
    .addColumn('set_by', 'text')
    .addColumn('requests_per_minute', 'bigint')
    .addColumn('tokens_per_minute', 'bigint')
    .addColumn('concurrent_requests', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
  await db.schema.createTable('installation')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('recorded_at', 'bigint', (column) => column.notNull())
    .execute();
}
