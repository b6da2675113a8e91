import type { Kysely } from 'kysely';

/** When a refund that was completed came back to the operator; `null` for all others. */
export async function addFailedRefunds(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payment_adjustments').addColumn('failed_at', 'bigint').execute();
}
