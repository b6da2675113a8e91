import { type Kysely, sql } from 'kysely';

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
