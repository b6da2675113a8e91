import { type Kysely, sql } from 'kysely';
import { MAX_UNITS } from '../../money/balance-rows.js';

async function createAccountsTable(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan_id', 'text', (column) => column.notNull())
    .addColumn('price_list', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('email_verified', 'smallint', (column) => column.notNull())
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('balance', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addColumn('deletion_due_at', 'bigint')
    .addColumn('deletion_returns_to', 'text')
    .addColumn('suspension_reason', 'text')
    .addColumn('external_id', 'text', (column) => column.unique())
    .addColumn('metadata', 'text')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('event_sequence', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('alert_thresholds', 'text')
    .addColumn('low_alerts', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('exhausted_below', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('alert_below', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('top_up_below', 'bigint', (column) => column.notNull().defaultTo(0))
    .addCheckConstraint('accounts_balance', sql`balance >= 0 and balance <= ${sql.lit(MAX_UNITS)}`)
    .addCheckConstraint('accounts_reserved', sql`reserved >= 0 and reserved <= balance`)
    .execute();
  await db.schema.createIndex('accounts_by_age').on('accounts').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('accounts_by_status').on('accounts').columns(['status', 'created_at', 'id']).execute();
  await db.schema.createIndex('accounts_by_update').on('accounts').columns(['updated_at', 'id']).execute();
  await db.schema.createIndex('accounts_by_status_and_update').on('accounts').columns(['status', 'updated_at', 'id']).execute();
  await db.schema.createIndex('accounts_by_price_list').on('accounts').columns(['price_list', 'id'])
    .where(sql.ref('price_list'), 'is not', null).execute();
  await db.schema.createIndex('accounts_due_for_deletion').on('accounts').column('deletion_due_at')
    .where(sql.ref('deletion_due_at'), 'is not', null).execute();
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('replaces', 'text')
    .addColumn('models', 'text')
    .addColumn('limit_amount', 'bigint')
    .addColumn('limit_period', 'text')
    .addColumn('lineage', 'text')
    .addColumn('expiry_told', 'smallint', (column) => column.notNull().defaultTo(0))
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').columns(['account_id', 'created_at']).execute();
  await db.schema.createIndex('api_keys_to_expire').on('api_keys').column('expires_at')
    .where(sql<boolean>`expires_at is not null and revoked_at is null and expiry_told = 0`).execute();
  // Operators search keys by the last characters of their secrets.
  await sql`create index api_keys_by_ending on api_keys (substr(hint, 7))`.execute(db);
}

/** Keys of playgrounds have an id and no secret. They are in a separate table, so that no statement lists, counts or finds them with other keys. */
async function createPlaygroundKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('playground_keys')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}

/** Accounts with their balances, and keys. */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await createAccountsTable(db);
  await createApiKeys(db);
  await createPlaygroundKeys(db);
}
