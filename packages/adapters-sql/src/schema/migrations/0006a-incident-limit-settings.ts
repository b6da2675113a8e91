import type { Kysely } from 'kysely';

/** Each setting of an incident limit begins with counts of its own, which the time of the setting names. Limits from before this step share one. */
export async function addIncidentLimitSetting(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incident_limits')
    .addColumn('set_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
