import type { Kysely } from 'kysely';

/** A sweep says for how long a process was silent. */
export async function addLeaseRenewals(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('process_leases').addColumn('renewed_at', 'bigint').execute();
}
