import type { Kysely } from 'kysely';

/** The tokens that owners agree to beside the price of a charge. Settings from before keep `null`, which compares the price alone. */
export async function addTopUpTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('automatic_top_ups').addColumn('tokens', 'bigint').execute();
}
