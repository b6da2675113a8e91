import type { Kysely } from 'kysely';

/** Records say whether thinking was kept from the client. Until now none was. */
export async function addReasoningWithheld(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage_records', 'late_settlements']) {
    await db.schema.alterTable(table).addColumn('reasoning_withheld', 'smallint', (column) => column.notNull().defaultTo(0)).execute();
  }
}
