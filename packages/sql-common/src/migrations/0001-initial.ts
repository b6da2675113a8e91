import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { MAX_UNITS } from '../schema/columns.js';
import type { SchemaDialect } from './migrate.js';

/** Comparisons instead of a list: SQLite builds a table of each list of three or more values, every time it checks a row. */
function isOneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
  return sql.join(values.map((value) => sql`${sql.raw(column)} = ${sql.lit(value)}`), sql` or `);
}

/** Accounts with their balances, and the keys they hold. */
export async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_folded', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('email_verified', 'smallint', (column) => column.notNull())
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('balance', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addCheckConstraint('accounts_balance', sql`balance >= 0 and balance <= ${sql.lit(MAX_UNITS)}`)
    .addCheckConstraint('accounts_reserved', sql`reserved >= 0 and reserved <= balance`)
    .execute();
  await db.schema.createIndex('accounts_by_age').on('accounts').columns(['created_at', 'id']).execute();
}

export async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('blocked', 'smallint', (column) => column.notNull())
    .addColumn('replaces', 'text')
    .execute();
  await db.schema.createIndex('api_keys_by_account').on('api_keys').columns(['account_id', 'created_at']).execute();
}

/** Reservations and the leases of the processes that own them. */
export async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('reservations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount >= 0`))
    .addColumn('state', 'text', (column) => column.notNull().check(isOneOf('state', ['held', 'settled', 'released', 'expired'])))
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('progress', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('reservations_held').on('reservations').columns(['owner_id', 'expires_at'])
    .where(sql.ref('state'), '=', sql.lit('held')).execute();
  await db.schema.createTable('process_leases')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('host', 'text')
    .addColumn('pid', 'bigint')
    .addColumn('start_marker', 'text')
    .execute();
}

/** The append-only entries. A reservation has at most one entry of each kind; a reference credits an account once. */
export async function createLedgerEntries(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('ledger_entries')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('kind', 'text', (column) => column.notNull()
      .check(isOneOf('kind', ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off'])))
    .addColumn('debit_account', 'text', (column) => column.notNull())
    .addColumn('credit_account', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('request_id', 'text')
    .addColumn('reservation_id', 'text', (column) => column.references('reservations.id'))
    .addColumn('reference', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addCheckConstraint('ledger_entries_sides', sql`debit_account <> credit_account`)
    .execute();
  await db.schema.createIndex('ledger_entries_by_reservation').on('ledger_entries').columns(['reservation_id', 'kind'])
    .unique().where(sql.ref('reservation_id'), 'is not', null).execute();
  await db.schema.createIndex('ledger_entries_by_reference').on('ledger_entries').columns(['credit_account', 'reference'])
    .unique().where(sql.ref('reference'), 'is not', null).execute();
  await dialect.makeAppendOnly(db, 'ledger_entries');
}

/** What operators switch. */
export async function createPlatform(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('platform_settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createTable('network_blocks')
    .addColumn('network', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text')
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createTable('incident_limits')
    .addColumn('model', 'text', (column) => column.primaryKey())
    .addColumn('requests_per_minute', 'bigint')
    .addColumn('tokens_per_minute', 'bigint')
    .addColumn('concurrent_requests', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
}

/** The hash-chained record of who changed what. */
export async function createAuditTrail(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('audit_entries')
    .addColumn('seq', 'bigint', (column) => column.primaryKey().check(sql`seq > 0`))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await dialect.makeAppendOnly(db, 'audit_entries');
}

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
