import type { Kysely } from 'kysely';

/** Owners read why their account is suspended. Suspensions from before have no reason. */
export async function addSuspensionReasons(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('suspension_reason', 'text').execute();
}
