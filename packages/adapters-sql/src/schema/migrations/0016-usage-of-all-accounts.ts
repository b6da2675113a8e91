import type { Kysely } from 'kysely';

/**
 * The records of all accounts by when their requests ended, newest first: what operators list and export. Settlements append to it, all at its
 * newest end, so that those of a commit share a page.
 */
export async function indexUsageOfAllAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('usage_records_by_end').on('usage_records').columns(['ended_at', 'seq']).execute();
}
