import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

/** Reference to a person. The row is deleted with the person. */
function ofPerson(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.references('people.id').onDelete('cascade');
}

async function createPersons(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.unique().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('email_verified', 'smallint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull().check(sql`role = 'owner' or role = 'operator'`))
    .addColumn('language', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('discard_at', 'bigint')
    .execute();
  await db.schema.createIndex('people_operators').on('people').column('created_at').where(sql.ref('role'), '=', sql.lit('operator')).execute();
  await db.schema.createIndex('people_unverified').on('people').column('discard_at').where(sql.ref('discard_at'), 'is not', null).execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('person_id', 'text', (column) => ofPerson(column.notNull()))
    .addColumn('signed_in_by', 'text', (column) => column.notNull())
    .addColumn('assurance', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('proven_at', 'bigint', (column) => column.notNull())
    .addColumn('wrong_codes', 'smallint', (column) => column.notNull().defaultTo(0))
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text')
    .addColumn('machine_id', 'text')
    .execute();
  await db.schema.createIndex('sessions_by_person').on('sessions').columns(['person_id', 'last_used_at']).execute();
  await db.schema.createIndex('sessions_by_age').on('sessions').column('created_at').execute();
}

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('person_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('person_id', 'text', (column) => ofPerson(column.notNull()))
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('new_email', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('machine_id', 'text')
    .addUniqueConstraint('person_tokens_live', ['person_id', 'purpose'])
    .execute();
  await db.schema.createIndex('person_tokens_by_expiry').on('person_tokens').column('expires_at').execute();
}

/** `secret` verifies the factor. It is encrypted for `totp`, and is the public key for `passkey`. */
async function createFactors(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('person_factors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('person_id', 'text', (column) => ofPerson(column.notNull()))
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind = 'totp' or kind = 'passkey'`))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('last_step', 'bigint')
    .execute();
  await db.schema.createIndex('person_factors_by_person').on('person_factors').columns(['person_id', 'kind']).execute();
  await db.schema.createIndex('person_factors_one_totp').on('person_factors').column('person_id').unique()
    .where(sql.ref('kind'), '=', sql.lit('totp')).execute();
  await db.schema.createTable('passkeys')
    .addColumn('factor_id', 'text', (column) => column.primaryKey().references('person_factors.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('backed_up', 'smallint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute();
  await db.schema.createTable('recovery_codes')
    .addColumn('person_id', 'text', (column) => ofPerson(column.notNull()))
    .addColumn('code_hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['person_id', 'code_hash'])
    .execute();
}

/** Counts of failures per person: one table for known browsers, one for all others. */
async function createAttempts(db: Kysely<unknown>): Promise<void> {
  for (const table of ['proof_attempts', 'stranger_attempts']) {
    await db.schema.createTable(table)
      .addColumn('person_id', 'text', (column) => ofPerson(column.primaryKey()))
      .addColumn('wrong_in_a_row', 'smallint', (column) => column.notNull())
      .addColumn('locked_until', 'bigint')
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('told', 'text')
      .execute();
  }
  await db.schema.createTable('used_challenges')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('used_challenges_by_expiry').on('used_challenges').column('expires_at').execute();
}

/** A person has at most one subject at each issuer, and a subject belongs to one person. */
async function createIssuerLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('issuer_links')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('person_id', 'text', (column) => ofPerson(column.notNull()))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('issuer_links_key', ['issuer', 'subject'])
    .addUniqueConstraint('issuer_links_by_person', ['person_id', 'issuer'])
    .execute();
}

/** Keyed hashes of the addresses and networks that received sign-up credits. They refer to no person, and are not deleted with one. */
async function createSignupCredits(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('signup_credits').addColumn('address_hash', 'text', (column) => column.primaryKey()).execute();
  await db.schema.createTable('signup_credit_networks')
    .addColumn('network_hash', 'text', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('signup_credit_networks_key', ['network_hash', 'day'])
    .execute();
}

/** People, and their sessions, single-use tokens, second factors and links to issuers. Only hashes of tokens are stored. */
export async function createPeople(db: Kysely<unknown>): Promise<void> {
  await createPersons(db);
  await createSessions(db);
  await createTokens(db);
  await createFactors(db);
  await createAttempts(db);
  await createIssuerLinks(db);
  await createSignupCredits(db);
}
