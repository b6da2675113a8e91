import type { Kysely } from 'kysely';

/** A key may be bound to some models. Until now every key has all of its account's. */
export async function addKeyModels(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('models', 'text').execute();
}
