import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

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

/** Adds the columns of the sums. They have no check on the sign, because a correction inserts negative figures before they are added to the sums. */
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
    .addColumn('upstream_id', 'text')
    .addColumn('fallback_used', 'smallint', (column) => column.notNull())
    .addColumn('price_prompt', 'text')
    .addColumn('price_cached_prompt', 'text')
    .addColumn('price_cache_creation', 'text')
    .addColumn('price_output', 'text')
    .addColumn('price_list', 'text')
    .addColumn('price_version', 'text')
    .addColumn('usage_source', 'text', (column) => column.notNull())
    .addColumn('reasoning_withheld', 'smallint', (column) => column.notNull().defaultTo(0))
    .addColumn('omitted', 'text')
    .addColumn('first_output_at', 'bigint')
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('settled_at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull());
}

/**
 * Records are found by model or key through the daily sums. An index on either would make each settlement write a page of its own, because
 * consecutive settlements would be far apart in it.
 */
async function indexUsageRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('usage_records_by_time').on('usage_records').columns(['account_id', 'ended_at', 'seq']).execute();
  await db.schema.createIndex('usage_records_by_user').on('usage_records').columns(['account_id', 'attribution', 'ended_at', 'seq'])
    .where(sql.ref('attribution'), 'is not', null).execute();
  // For lists and exports by operators. Settlements append at the end of this index, so that those of one commit share a page.
  await db.schema.createIndex('usage_records_by_end').on('usage_records').columns(['ended_at', 'seq']).execute();
}

async function createUsageRecords(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
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
  await indexUsageRecords(db);
  const late = db.schema.createTable('late_settlements')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('reservation_id', 'text', (column) => column.notNull().unique().references('reservations.id'))
    .addColumn('account_id', 'text', (column) => column.notNull());
  await withEnding(late).execute();
  await db.schema.createIndex('late_settlements_by_account').on('late_settlements').columns(['account_id', 'settled_at']).execute();
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

/** Daily sums over all accounts. They are computed in the background; settlements do not write to these tables. */
async function createUsageTotals(db: Kysely<unknown>): Promise<void> {
  const totals: TableBuilder = db.schema.createTable('usage_totals')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('dimension', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('usd_rate', 'text', (column) => column.notNull());
  await withSums(totals).addPrimaryKeyConstraint('usage_totals_key', ['day', 'version', 'dimension', 'part', 'usd_rate']).execute();
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

/**
 * One record per ended reservation, and the additions of late settlements. Every settlement updates the sums per account and UTC day, so that
 * summaries and caps read no records. The sums over all accounts are computed in the background.
 */
export async function createUsage(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createUsageRecords(db, dialect);
  await createRollUp(db, 'usage_daily', ['model', 'key_id']);
  await createRollUp(db, 'usage_daily_users', ['attribution']);
  await createUsageTotals(db);
}
