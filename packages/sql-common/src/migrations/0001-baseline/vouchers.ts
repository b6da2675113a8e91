import { type Kysely, sql } from 'kysely';

async function createBatches(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('voucher_batches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('vouchers', 'bigint', (column) => column.notNull())
    .addColumn('uses_per_voucher', 'bigint', (column) => column.notNull())
    .addColumn('uses', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('credit_expires_after_days', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('published_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addCheckConstraint('voucher_batches_uses', sql`uses >= 0 and uses <= vouchers * uses_per_voucher`)
    .execute();
  await db.schema.createIndex('voucher_batches_newest').on('voucher_batches').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('voucher_batches_unpublished').on('voucher_batches').column('created_at').where(sql.ref('published_at'), 'is', null).execute();
}

/** `most_uses` repeats a column of the batch, so that a check on the row bounds its uses. */
async function createCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('vouchers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('batch_id', 'text', (column) => column.notNull().references('voucher_batches.id'))
    .addColumn('code_hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('uses', 'bigint', (column) => column.notNull())
    .addColumn('most_uses', 'bigint', (column) => column.notNull())
    .addCheckConstraint('vouchers_uses', sql`uses >= 0 and uses <= most_uses`)
    .execute();
  await db.schema.createIndex('vouchers_by_batch').on('vouchers').column('batch_id').execute();
}

/**
 * Vouchers and their uses. Only hashes of codes are stored. The keyed hashes of mailboxes that redeemed a voucher refer to no person, and are not
 * deleted with one.
 */
export async function createVouchers(db: Kysely<unknown>): Promise<void> {
  await createBatches(db);
  await createCodes(db);
  await db.schema.createTable('voucher_uses')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('voucher_id', 'text', (column) => column.notNull())
    .addColumn('batch_id', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('credit_expires_at', 'bigint')
    .addPrimaryKeyConstraint('voucher_uses_key', ['account_id', 'voucher_id'])
    .addUniqueConstraint('voucher_uses_of_batch', ['batch_id', 'number'])
    .execute();
  await db.schema.createTable('voucher_mailboxes')
    .addColumn('voucher_id', 'text', (column) => column.notNull())
    .addColumn('mailbox_hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('voucher_mailboxes_key', ['voucher_id', 'mailbox_hash'])
    .execute();
  await db.schema.createTable('wrong_vouchers')
    .addColumn('account_id', 'text', (column) => column.primaryKey())
    .addColumn('tries', 'bigint', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute();
}
