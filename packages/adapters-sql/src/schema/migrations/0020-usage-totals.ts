import { type Kysely, sql } from 'kysely';

const SUMMED = [
  'requests', 'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens', 'charge',
] as const;

/** Days summed up over all accounts, in the background; no settlement writes here. */
export async function createUsageTotals(db: Kysely<unknown>): Promise<void> {
  const totals = db.schema.createTable('usage_totals')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('dimension', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('usd_rate', 'text', (column) => column.notNull());
  await SUMMED.reduce((table, name) => table.addColumn(name, 'bigint', (column) => column.notNull()), totals)
    .addPrimaryKeyConstraint('usage_totals_key', ['day', 'version', 'dimension', 'part', 'usd_rate']).execute();
  await db.schema.createTable('usage_totalled_days')
    .addColumn('day', 'text', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('late_settlements', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createTable('usage_totals_state')
    .addColumn('id', 'smallint', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('claimed_until', 'bigint', (column) => column.notNull())
    .addColumn('counted_through', 'bigint')
    .addColumn('newest_seq', 'bigint', (column) => column.notNull())
    .addColumn('newest_at', 'bigint', (column) => column.notNull())
    .addColumn('summed_at', 'bigint')
    .execute();
  await sql`insert into usage_totals_state (id, version, claimed_until, newest_seq, newest_at) values (1, 0, 0, 0, 0)`.execute(db);
}
