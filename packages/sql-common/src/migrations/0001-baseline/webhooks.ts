import { type Kysely, sql } from 'kysely';

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text')
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('types', 'text')
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('leased_until', 'bigint')
    .addColumn('turns', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('resend_after', 'bigint')
    .addColumn('resend_since', 'bigint')
    .execute();
  await db.schema.createIndex('webhooks_of_owners').on('webhook_endpoints').column('account_id').execute();
  await db.schema.createIndex('webhooks_due').on('webhook_endpoints').column('due_at').where(sql.ref('due_at'), 'is not', null).execute();
  await db.schema.createIndex('webhooks_resending').on('webhook_endpoints').column('id').where(sql.ref('resend_after'), 'is not', null).execute();
  await db.schema.createIndex('webhooks_deleted').on('webhook_endpoints').column('id').where(sql.ref('deleted_at'), 'is not', null).execute();
}

/** Webhooks, their deliveries, and the position up to which the feed is queued for them. */
export async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await createEndpoints(db);
  await db.schema.createTable('webhook_deliveries')
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('account_sequence', 'bigint')
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint')
    .addColumn('last_milliseconds', 'bigint')
    .addColumn('last_status', 'bigint')
    .addColumn('last_answer', 'text')
    .addColumn('last_failure', 'text')
    .addPrimaryKeyConstraint('webhook_deliveries_pkey', ['endpoint_id', 'event_id'])
    .execute();
  await db.schema.createIndex('webhook_deliveries_due').on('webhook_deliveries').columns(['endpoint_id', 'next_at', 'position'])
    .where(sql.ref('state'), '=', sql.lit('waiting')).execute();
  await db.schema.createIndex('webhook_deliveries_newest').on('webhook_deliveries').columns(['endpoint_id', 'created_at', 'event_id']).execute();
  await db.schema.createIndex('webhook_deliveries_oldest').on('webhook_deliveries').column('created_at').execute();
  await db.schema.createTable('webhook_feed')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('position', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into webhook_feed (id, position) values (1, 0)`.execute(db);
}
