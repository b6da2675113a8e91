import { type Kysely, sql } from 'kysely';
import { bookEndings } from './book-endings.js';
import { decideMoney } from './decide-money.js';
import { decideMoneyWithinLimits } from './decide-money-within-limits.js';
import { settleLate } from './settle-late.js';

/**
 * The functions that the money path calls. Their names end in a version: a later release adds a new one beside the old,
 * so that gateways of two releases may work on one database while the one replaces the other.
 */
export async function createMoneyFunctions(db: Kysely<unknown>, version: 1 | 2): Promise<void> {
  for (const definition of [bookEndings, settleLate, decideMoney]) await sql.raw(definition(version)).execute(db);
}

/** Version 3 sets aside what is available where that reaches a floor; endings are booked as in version 2. */
export async function createPartialReservations(db: Kysely<unknown>): Promise<void> {
  await sql.raw(decideMoney(3)).execute(db);
}

/** Version 4 keeps the spending limits of keys; endings are booked as in version 2. */
export async function createLimitedReservations(db: Kysely<unknown>): Promise<void> {
  await sql.raw(decideMoneyWithinLimits(4)).execute(db);
}

/** Version 5 books endings in version 3, with the upstream that served and when they were booked. */
export async function createDatedSettlements(db: Kysely<unknown>): Promise<void> {
  for (const definition of [bookEndings(3), settleLate(3), decideMoneyWithinLimits(5)]) await sql.raw(definition).execute(db);
}

/** What the functions know a repeated extension by. */
export async function addExtender(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('reservations').addColumn('extender', 'text').addColumn('extension', 'bigint').execute();
}
