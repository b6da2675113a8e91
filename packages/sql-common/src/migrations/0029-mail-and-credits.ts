import type { Kysely } from 'kysely';

/** How many sign-up credits each network has received in a UTC day, by keyed hashes of networks. */
export async function createSignupCreditNetworks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('signup_credit_networks')
    .addColumn('network_hash', 'text', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('signup_credit_networks_key', ['network_hash', 'day'])
    .execute();
}
