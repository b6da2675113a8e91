import type { Kysely } from 'kysely';

/** Records say which upstream served, and when they were booked. Of older ones it is not known. */
export async function addUsageSettlements(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage_records', 'late_settlements']) {
    await db.schema.alterTable(table).addColumn('upstream_id', 'text').execute();
    await db.schema.alterTable(table).addColumn('settled_at', 'bigint').execute();
  }
}
