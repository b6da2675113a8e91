import { type Kysely, sql } from 'kysely';

/** A sweep says for how long a process was silent. */
export async function addLeaseRenewals(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('process_leases').addColumn('renewed_at', 'bigint').execute();
}

/**
 * Requests that one idempotency key served together. The table holds those requests alone, which are few: every settlement looks a request up in it.
 * A key names the first of them.
 */
export async function addPurchases(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_keys').addColumn('first_request_id', 'text').execute();
  await db.schema.createTable('purchase_requests')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('purchase_id', 'text', (column) => column.notNull())
    .addColumn('covered', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`covered >= 0`))
    .addColumn('covered_late', 'bigint', (column) => column.notNull().defaultTo(0).check(sql`covered_late >= 0`))
    .execute();
  await db.schema.createIndex('purchase_requests_by_purchase').on('purchase_requests').column('purchase_id').execute();
}
