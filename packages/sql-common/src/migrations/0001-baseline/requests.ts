import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('idempotency_keys')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('first_request_id', 'text')
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

/** Requests that share an idempotency key. Every settlement reads this table; other requests have no row, so that it stays small. */
async function createPurchaseRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('purchase_requests')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('purchase_id', 'text', (column) => column.notNull())
    .addColumn('covered', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`covered >= 0`))
    .addColumn('covered_late', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`covered_late >= 0`))
    .execute();
  await db.schema.createIndex('purchase_requests_by_purchase').on('purchase_requests').column('purchase_id').execute();
}

/** One index is for the sum of an account's bytes, newest response first; the other is for finding expired responses. */
async function createStoredResponses(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('stored_responses')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('previous_id', 'text')
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('input_items', 'text', (column) => column.notNull())
    .addColumn('output_items', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('stored_responses_id', ['account_id', 'id'])
    .execute();
  await db.schema.createIndex('stored_responses_by_age').on('stored_responses').columns(['account_id', 'seq', 'bytes']).execute();
  await db.schema.createIndex('stored_responses_by_expiry').on('stored_responses').columns(['expires_at', 'seq', 'bytes']).execute();
}

/** Idempotency keys, purchases of several requests, and stored responses. */
export async function createRequests(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createIdempotencyKeys(db);
  await createPurchaseRequests(db);
  await createStoredResponses(db, dialect);
}
