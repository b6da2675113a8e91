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

/** Records say which upstream served, and when they were booked. Of older ones it is not known. */
export async function addUsageSettlements(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage_records', 'late_settlements']) {
    await db.schema.alterTable(table).addColumn('upstream_id', 'text').execute();
    await db.schema.alterTable(table).addColumn('settled_at', 'bigint').execute();
  }
}

/** Addresses that were credited at a sign-up, as keyed hashes and with nothing beside them: they outlive the erasure of the person. */
export async function createSignupCredits(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('signup_credits').addColumn('address_hash', 'text', (column) => column.primaryKey()).execute();
}

/** The key of an account's playground has an id and no secret: in a table of its own, nothing that lists, counts or looks up keys can find it. */
export async function createPlaygroundKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('playground_keys')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
}

const SEVEN_DAYS = 7 * 24 * 60 * 60 * 1000;

/** People who never verify their address are removed at a date: seven days after they came, or when their last link ends, if that is later. */
export async function dateUnverifiedPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('discard_at', 'bigint').execute();
  await sql`update people set discard_at = created_at + ${sql.lit(SEVEN_DAYS)} where email_verified = 0`.execute(db);
  await sql`
    update people set discard_at = (select max(expires_at) from person_tokens where person_tokens.person_id = people.id)
    where discard_at < (select max(expires_at) from person_tokens where person_tokens.person_id = people.id)
  `.execute(db);
  await db.schema.createIndex('people_unverified').on('people').column('discard_at').where(sql.ref('discard_at'), 'is not', null).execute();
}

/** Owners read why their account is suspended. Suspensions from before have no reason. */
export async function addSuspensionReasons(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('suspension_reason', 'text').execute();
}
