import type { Kysely } from 'kysely';

/**
 * Records by model and by key are found through the daily sums from here on, which every settlement keeps up anyway. Each of the two indexes
 * had a settlement write a page of its own, since accounts that are served one after another are far apart in them.
 */
export async function dropIndexesByModelAndKey(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('usage_records_by_model').execute();
  await db.schema.dropIndex('usage_records_by_key').execute();
}
