import type { Kysely } from 'kysely';

/** Addresses that were credited at a sign-up, as keyed hashes and with nothing beside them: they outlive the erasure of the person. */
export async function createSignupCredits(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('signup_credits').addColumn('address_hash', 'text', (column) => column.primaryKey()).execute();
}
