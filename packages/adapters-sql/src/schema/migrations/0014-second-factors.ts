import type { Kysely } from 'kysely';

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
