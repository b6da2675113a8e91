import type { Kysely } from 'kysely';

/** Which settings of a request its upstream was not sent, separated by commas; `null` where it was sent all of them, and in earlier rows. */
export async function addOmittedSettings(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage_records', 'late_settlements']) await db.schema.alterTable(table).addColumn('omitted', 'text').execute();
}
