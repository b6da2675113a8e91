import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from './migrate.js';

/** Sessions tell when they were proved and how often a wrong code was tried in them. Those from before were proved long ago. */
async function addProofs(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('proven_at', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable('sessions').addColumn('wrong_codes', 'smallint', (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.createTable('proof_attempts')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('people.id').onDelete('cascade'))
    .addColumn('wrong_in_a_row', 'smallint', (column) => column.notNull())
    .addColumn('locked_until', 'bigint')
    .execute();
}

async function createRecoveryCodes(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('recovery_codes')
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['person_id', 'code_hash'])
    .execute();
}

/**
 * Second factors. The newest time step of which a code was taken stands beside the secret: it can only rise, so no code is taken twice. It replaces
 * the table of used codes, which nothing has written.
 */
export async function addSecondFactors(db: Kysely<unknown>): Promise<void> {
  await addProofs(db);
  await createRecoveryCodes(db);
  await db.schema.alterTable('person_factors').addColumn('last_step', 'bigint').execute();
  await db.schema.dropTable('used_codes').execute();
}

/** What a passkey has beside the second factor that it is; the public key is that factor's secret. */
async function createPasskeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('passkeys')
    .addColumn('factor_id', 'text', (column) => column.primaryKey().references('person_factors.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('backed_up', 'smallint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
}

/** A person has at most one subject of an issuer, and a subject one person. */
async function createIssuerLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('issuer_links')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('issuer_links_key', ['issuer', 'subject'])
    .addUniqueConstraint('issuer_links_by_person', ['person_id', 'issuer'])
    .execute();
}

/** Challenges that were answered rightly, until they would have expired. */
async function createUsedChallenges(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('used_challenges')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('used_challenges_by_expiry').on('used_challenges').column('expires_at').execute();
}

/** Passkeys, and sign-in by an OpenID Connect issuer. */
export async function createSignInMethods(db: Kysely<unknown>): Promise<void> {
  await createPasskeys(db);
  await createIssuerLinks(db);
  await createUsedChallenges(db);
}

/**
 * The records of all accounts by when their requests ended, newest first: what operators list and export. Settlements append to it, all at its
 * newest end, so that those of a commit share a page.
 */
export async function indexUsageOfAllAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('usage_records_by_end').on('usage_records').columns(['ended_at', 'seq']).execute();
}

async function createBlocks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('blocks')
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind = 'account' or kind = 'key' or kind = 'network'`))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('blocked_by', 'text')
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addPrimaryKeyConstraint('blocks_key', ['kind', 'subject'])
    .execute();
  await db.schema.createIndex('blocks_by_age').on('blocks').columns(['blocked_at', 'kind', 'subject']).execute();
  await db.schema.createIndex('blocks_by_expiry').on('blocks').column('expires_at').where(sql.ref('expires_at'), 'is not', null).execute();
}

/** Blocks from before this step end by an operator alone; of accounts and keys it is not known since when they are blocked. */
async function moveBlocks(db: Kysely<unknown>): Promise<void> {
  await sql`insert into blocks (kind, subject, reason, blocked_at) select 'network', network, reason, blocked_at from network_blocks`.execute(db);
  await sql`insert into blocks (kind, subject, blocked_at) select 'account', id, created_at from accounts where blocked = 1`.execute(db);
  await sql`insert into blocks (kind, subject, blocked_at) select 'key', id, created_at from api_keys where blocked = 1`.execute(db);
  await db.schema.dropTable('network_blocks').execute();
}

/** One list of blocks with reason, actor and expiry; maintenance with times and a message; the actor of incident limits; why mail is tried again. */
export async function addOperatorControls(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createBlocks(db);
  await moveBlocks(db);
  await dialect.announcePlatform(db, 'blocks');
  await sql`delete from platform_settings where name = 'maintenance' and value <> 'on'`.execute(db);
  await sql`
    update platform_settings set value = '{"startsAt":0,"endsAt":null,"message":null,"setBy":null,"setAt":0}' where name = 'maintenance'
  `.execute(db);
  await db.schema.alterTable('incident_limits').addColumn('set_by', 'text').execute();
  await db.schema.alterTable('mail_outbox').addColumn('last_failure', 'text').execute();
  await db.schema.createIndex('mail_outbox_by_age').on('mail_outbox').columns(['stored_at', 'id']).execute();
}

/** Operators find keys by the end of their secret and read a ledger without its charges. Charges have a reservation, so they are in no index here. */
export async function indexOperatorLookups(db: Kysely<unknown>): Promise<void> {
  await sql`create index api_keys_by_ending on api_keys (substr(hint, 7))`.execute(db);
  await sql`create index ledger_entries_of_money_acts
    on ledger_entries ((case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end), seq)
    where reservation_id is null`.execute(db);
}

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

/** Responses that accounts refer to later. An index counts an account's bytes from its newest response on, another sums what has expired. */
export async function createStoredResponses(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('stored_responses')
    .addColumn('seq', dialect.sequenceType, (column) => dialect.sequence(column))
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('previous_id', 'text')
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('input_items', 'text', (column) => column.notNull())
    .addColumn('output_items', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('stored_responses_id', ['account_id', 'id'])
    .execute();
  await db.schema.createIndex('stored_responses_by_age').on('stored_responses').columns(['account_id', 'seq', 'bytes']).execute();
  await db.schema.createIndex('stored_responses_by_expiry').on('stored_responses').columns(['expires_at', 'seq', 'bytes']).execute();
}
