import { type Kysely, sql } from 'kysely';

/**
 * A key may have a spending limit. What counts against it stands in a table of its own, by lineage and UTC day or month, so that a key without a
 * limit writes nothing there; a reservation names the row it counts in and the limit it was made under. Older keys are each a lineage of their own.
 */
export async function addKeyLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('limit_amount', 'bigint').execute();
  await db.schema.alterTable('api_keys').addColumn('limit_period', 'text').execute();
  await db.schema.alterTable('api_keys').addColumn('lineage', 'text').execute();
  await db.schema.alterTable('reservations').addColumn('key_lineage', 'text').execute();
  await db.schema.alterTable('reservations').addColumn('key_period', 'text').execute();
  await db.schema.alterTable('reservations').addColumn('key_limit', 'bigint').execute();
  await db.schema.createTable('key_spending')
    .addColumn('lineage', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('spent', 'bigint', (column) => column.notNull().check(sql`spent >= 0`))
    .addColumn('reserved', 'bigint', (column) => column.notNull().check(sql`reserved >= 0`))
    .addPrimaryKeyConstraint('key_spending_pkey', ['lineage', 'period'])
    .execute();
}
