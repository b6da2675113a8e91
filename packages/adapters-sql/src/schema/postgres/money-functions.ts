import { type Kysely, sql } from 'kysely';
import { BOOK_ENDINGS } from './book-endings.js';
import { DECIDE_MONEY } from './decide-money.js';
import { SETTLE_LATE } from './settle-late.js';

/**
 * The functions that the money path calls. Their names end in a version: a later release adds a new one beside the old,
 * so that gateways of two releases may work on one database while the one replaces the other.
 */
export async function createMoneyFunctions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('extender', 'text').addColumn('extension', 'bigint').execute();
  for (const definition of [BOOK_ENDINGS, SETTLE_LATE, DECIDE_MONEY]) await sql.raw(definition).execute(db);
}
