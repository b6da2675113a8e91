import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from './migrate.js';

const EARLIER_KINDS = ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off'];
const ENTRY_KINDS = { earlier: EARLIER_KINDS, allowed: [...EARLIER_KINDS, 'signup-credit', 'refund', 'correction', 'forfeiture'] };

/** The customer's side of an act of money, whichever of the two it is. */
const CUSTOMER = sql`case when substr(credit_account, 1, 7) = 'system:' then debit_account else credit_account end`;

/**
 * Deletions have a date, and acts of money have kinds of their own and a reason. A reference is unique per account over all kinds,
 * also where the account pays; refunds are found by their request. Entries of requests are in neither index.
 */
export async function addAccountDeletion(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('deletion_due_at', 'bigint').execute();
  await db.schema.alterTable('accounts').addColumn('deletion_returns_to', 'text').execute();
  await db.schema.createIndex('accounts_due_for_deletion').on('accounts').column('deletion_due_at')
    .where(sql.ref('deletion_due_at'), 'is not', null).execute();
  await db.schema.alterTable('ledger_entries').addColumn('reason', 'text').execute();
  await dialect.allowEntryKinds(db, ENTRY_KINDS);
  await db.schema.dropIndex('ledger_entries_by_reference').execute();
  await sql`create unique index ledger_entries_by_reference on ledger_entries (reference, (${CUSTOMER})) where reference is not null`.execute(db);
  await db.schema.createIndex('ledger_entries_of_refunds').on('ledger_entries').column('request_id')
    .where(sql.ref('kind'), '=', sql.lit('refund')).execute();
}

/** A key may be bound to some models. Until now every key has all of its account's. */
export async function addKeyModels(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('models', 'text').execute();
}

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

async function createPersons(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.unique().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('email_verified', 'smallint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role = 'owner' or role = 'operator'`))
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('people_operators').on('people').column('created_at').where(sql.ref('role'), '=', sql.lit('operator')).execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('signed_in_by', 'text', (column) => column.notNull())
    .addColumn('assurance', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text')
    .execute();
  await db.schema.createIndex('sessions_by_person').on('sessions').columns(['person_id', 'last_used_at']).execute();
  await db.schema.createIndex('sessions_by_age').on('sessions').column('created_at').execute();
}

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('person_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('new_email', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('person_tokens_live', ['person_id', 'purpose'])
    .execute();
  await db.schema.createIndex('person_tokens_by_expiry').on('person_tokens').column('expires_at').execute();
}

/** `secret` is what a factor is checked by: encrypted for `totp`, the public key for `passkey`. */
async function createFactors(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('person_factors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind = 'totp' or kind = 'passkey'`))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .execute();
  await db.schema.createIndex('person_factors_by_person').on('person_factors').columns(['person_id', 'kind']).execute();
  await db.schema.createIndex('person_factors_one_totp').on('person_factors').column('person_id').unique()
    .where(sql.ref('kind'), '=', sql.lit('totp')).execute();
  await db.schema.createTable('used_codes')
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('used_codes_key', ['person_id', 'code_hash'])
    .execute();
}

/** People with their sessions, single-use tokens and second factors. Of tokens only hashes are stored. */
export async function createPeople(db: Kysely<unknown>): Promise<void> {
  await createPersons(db);
  await createSessions(db);
  await createTokens(db);
  await createFactors(db);
}

/** Ids of accounts that entries from before this step concern, as far as the database still knows. */
async function fillAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    update audit_entries set account_id = case
      when action like 'account.%' then subject
      when action like 'key.%' then (select account_id from api_keys where api_keys.id = audit_entries.subject)
      when action like 'person.%' then (select account_id from people where people.id = audit_entries.subject)
    end
  `.execute(db);
}

/**
 * Personal texts stand beside the audit trail, where they can be erased; entries hold salted hashes of them. Entries say which account they
 * concern and are found by it, by actor and by action. Hashes of entries from before this step leave both out.
 */
export async function addAuditTexts(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('audit_texts')
    .addColumn('entry', 'bigint', (column) => column.notNull())
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_texts_key', ['entry', 'field'])
    .execute();
  await db.schema.createIndex('audit_texts_by_owner').on('audit_texts').column('owner').execute();
  await db.schema.alterTable('audit_entries').addColumn('account_id', 'text').execute();
  await db.schema.alterTable('audit_entries').addColumn('texts', 'text').execute();
  await dialect.allowChanges(db, 'audit_entries');
  await fillAccounts(db);
  await dialect.makeAppendOnly(db, 'audit_entries');
  await db.schema.createIndex('audit_entries_by_time').on('audit_entries').columns(['at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_account').on('audit_entries').columns(['account_id', 'at', 'seq'])
    .where(sql.ref('account_id'), 'is not', null).execute();
  await db.schema.createIndex('audit_entries_by_actor').on('audit_entries').columns(['actor_id', 'at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_kind').on('audit_entries').columns(['actor_kind', 'at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_action').on('audit_entries').columns(['action', 'at', 'seq']).execute();
}
