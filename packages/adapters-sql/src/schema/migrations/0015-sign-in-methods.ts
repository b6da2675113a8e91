import type { Kysely } from 'kysely';

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
