import { type Kysely, sql } from 'kysely';

/** Failures in a row: wrong passwords and codes together, and the last notice that the person got of them. */
export async function addFailures(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('proof_attempts').addColumn('failures', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable('proof_attempts').addColumn('told', 'text').execute();
}

/** What `proof_attempts` counts from now on for known browsers only, for all others. What was counted before counts for both. */
export async function createStrangerAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('stranger_attempts')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('people.id').onDelete('cascade'))
    .addColumn('wrong_in_a_row', 'smallint', (column) => column.notNull())
    .addColumn('locked_until', 'bigint')
    .addColumn('failures', 'bigint', (column) => column.notNull())
    .addColumn('told', 'text')
    .execute();
  await sql`insert into stranger_attempts (person_id, wrong_in_a_row, locked_until, failures) select person_id, wrong_in_a_row, locked_until, wrong_in_a_row from proof_attempts`.execute(db);
}
