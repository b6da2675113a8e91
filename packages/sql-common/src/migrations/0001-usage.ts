import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { SchemaDialect } from './migrate.js';

type TableBuilder = CreateTableBuilder<string, string>;

const TOKEN_COLUMNS = [
  'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens',
] as const;

const COUNT_COLUMNS = [...TOKEN_COLUMNS, 'charge', 'write_off'];

function withCounts(table: TableBuilder): TableBuilder {
  return COUNT_COLUMNS.reduce<TableBuilder>(
    (built, name) => built.addColumn(name, 'bigint', (column) => column.notNull().check(sql`${sql.ref(name)} >= 0`)),
    table,
  );
}

/** Without a check on the sign: what a correction takes back is inserted as a negative figure before it meets the sum. */
function withSums(table: TableBuilder): TableBuilder {
  return ['requests', ...TOKEN_COLUMNS, 'charge'].reduce<TableBuilder>(
    (built, name) => built.addColumn(name, 'bigint', (column) => column.notNull()),
    table,
  );
}

function withEnding(table: TableBuilder): TableBuilder {
  return withCounts(table)
    .addColumn('end_reason', 'text', (column) => column.notNull())
    .addColumn('served_by', 'text')
    .addColumn('fallback_used', 'smallint', (column) => column.notNull())
    .addColumn('price_prompt', 'text')
    .addColumn('price_cached_prompt', 'text')
    .addColumn('price_cache_creation', 'text')
    .addColumn('price_output', 'text')
    .addColumn('usage_source', 'text', (column) => column.notNull())
    .addColumn('first_output_at', 'bigint')
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull());
}

async function createUsageIndexes(db: Kysely<unknown>): Promise<void> {
  const indexed = { time: [], model: ['served_by'], key: ['key_id'], user: ['attribution'] } as const;
  for (const [name, filters] of Object.entries(indexed)) {
    const index = db.schema.createIndex(`usage_records_by_${name}`).on('usage_records')
      .columns(['account_id', ...filters, 'ended_at', 'seq']);
    const [filter] = filters;
    await (filter === undefined ? index : index.where(sql.ref(filter), 'is not', null)).execute();
  }
}

/** One record per ended reservation, and what a late settlement adds to it. */
export async function createUsageRecords(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  const records = db.schema.createTable('usage_records')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('reservation_id', 'text', (column) => column.notNull().unique().references('reservations.id'))
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('format', 'text')
    .addColumn('streamed', 'smallint', (column) => column.notNull())
    .addColumn('requested_model', 'text', (column) => column.notNull())
    .addColumn('attribution', 'text')
    .addColumn('usd_rate', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull());
  await withEnding(records).execute();
  await createUsageIndexes(db);
  const late = db.schema.createTable('late_settlements')
    .addColumn('reservation_id', 'text', (column) => column.primaryKey().references('reservations.id'))
    .addColumn('account_id', 'text', (column) => column.notNull());
  await withEnding(late).execute();
  await dialect.makeAppendOnly(db, 'usage_records');
  await dialect.makeAppendOnly(db, 'late_settlements');
}

async function createRollUp(db: Kysely<unknown>, name: string, groups: readonly string[]): Promise<void> {
  const table: TableBuilder = db.schema.createTable(name)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('usd_rate', 'text', (column) => column.notNull());
  const grouped = groups.reduce<TableBuilder>(
    (built, group) => built.addColumn(group, 'text', (column) => column.notNull()),
    table,
  );
  await withSums(grouped)
    .addPrimaryKeyConstraint(`${name}_key`, ['account_id', 'day', ...groups, 'usd_rate'])
    .execute();
}

/** Sums per account and UTC day, kept up by every settlement, so that summaries and caps never scan records. */
export async function createRollUps(db: Kysely<unknown>): Promise<void> {
  await createRollUp(db, 'usage_daily', ['model', 'key_id']);
  await createRollUp(db, 'usage_daily_users', ['attribution']);
}
