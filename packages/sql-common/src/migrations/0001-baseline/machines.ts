import type { Kysely } from 'kysely';

/** Machines. Only hashes of their secrets are stored. `scopes` and `networks` are JSON. */
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
  await createMachineRequests(db);
}

/** Idempotency keys of changes that machines requested, and the answers. */
async function createMachineRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('machine_requests')
    .addColumn('machine_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text')
    .addColumn('account_id', 'text')
    .addColumn('claimed_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('status', 'bigint')
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('machine_requests_key', ['machine_id', 'key'])
    .execute();
  await db.schema.createIndex('machine_requests_by_number').unique().on('machine_requests').columns(['machine_id', 'number']).execute();
  await db.schema.createIndex('machine_requests_by_expiry').on('machine_requests').column('expires_at').execute();
  await db.schema.createIndex('machine_requests_by_account').on('machine_requests').column('account_id').execute();
}
