import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../schema-dialect.js';

const EARLIER_KINDS = ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off'];
const ENTRY_KINDS = { earlier: EARLIER_KINDS, allowed: [...EARLIER_KINDS, 'signup-credit', 'refund', 'correction', 'forfeiture'] };

/** The customer's side of an act of money, whichever of the two it is. */
const CUSTOMER = sql`case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end`;

/**
 * Deletions have a date, and acts of money have kinds of their own and a reason. A reference is unique per account over all kinds,
 * also where the account pays; refunds are found by their request. Entries of requests are in neither index.
 */
export async function addAccountDeletion(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('deletion_due_at', 'bigint').execute();
  await db.schema.alterTable('accounts').addColumn('deletion_returns_to', 'text').execute();
  await db.schema.createIndex('accounts_due_for_deletion').on('accounts').column('deletion_due_at')
    .where(sql.ref('deletion_due_at'), 'is not', null).execute();
  await db.schema.alterTable('ledger_entries').addColumn('reason', 'text').execute();
  await dialect.allowEntryKinds(db, ENTRY_KINDS);
  await db.schema.dropIndex('ledger_entries_by_reference').execute();
  await sql`create unique index ledger_entries_by_reference on ledger_entries (reference, (${CUSTOMER})) where reference is not null`.execute(db);
  await db.schema.createIndex('ledger_entries_of_refunds').on('ledger_entries').column('request_id')
    .where(sql.ref('kind'), '=', sql.lit('refund')).execute();
}
