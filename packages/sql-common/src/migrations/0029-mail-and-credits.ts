import { type Kysely, sql } from 'kysely';

/** How many sign-up credits each network has received in a UTC day, by keyed hashes of networks. */
export async function createSignupCreditNetworks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('signup_credit_networks')
    .addColumn('network_hash', 'text', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('signup_credit_networks_key', ['network_hash', 'day'])
    .execute();
}

/** Mail is claimed by rank, and one message at a time for each domain. Messages from before this step count as those of verified people. */
export async function rankMail(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mail_outbox').addColumn('rank', 'bigint', (column) => column.notNull().defaultTo(1)).execute();
  await db.schema.alterTable('mail_outbox').addColumn('domain', 'text').execute();
  await db.schema.alterTable('mail_outbox').addColumn('leased_until', 'bigint').execute();
  await sql`update mail_outbox set domain = recipient where state = 'waiting'`.execute(db);
  await db.schema.dropIndex('mail_outbox_waiting').execute();
  await db.schema.createIndex('mail_outbox_waiting').on('mail_outbox').columns(['rank', 'due_at', 'id'])
    .where(sql.ref('state'), '=', sql.lit('waiting')).execute();
  await db.schema.createIndex('mail_outbox_leased').on('mail_outbox').columns(['domain', 'leased_until'])
    .where(sql.ref('leased_until'), 'is not', null).execute();
}
