import { type Kysely, sql } from 'kysely';

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
