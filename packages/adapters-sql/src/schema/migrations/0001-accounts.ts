import { type Kysely, sql } from 'kysely';
import { MAXIMUM_UNITS } from '../amount-bounds.js';

/** Accounts with their balances, and the keys they hold. */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('email_verified', 'smallint', (column) => column.notNull())
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('balance', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addCheckConstraint('accounts_balance', sql`balance >= 0 and balance <= ${sql.lit(MAXIMUM_UNITS)}`)
    .addCheckConstraint('accounts_reserved', sql`reserved >= 0 and reserved <= balance`)
    .execute();
  await db.schema.createIndex('accounts_by_age').on('accounts').columns(['created_at', 'id']).execute();
}

export async function createApiKeys(db: Kysely<unknown>): Promise<void> {
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
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').columns(['account_id', 'created_at']).execute();
}
