import type { Instant } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';

/**
 * The clock that judges leases and claims. `database`: the server's clock, read by the statement, since machines' clocks differ. `caller`: the
 * process's clock, for a database of one machine and for tests with a virtual clock.
 */
export type LeaseClock = 'database' | 'caller';

/** When the server received the statement, in Unix milliseconds. */
const DATABASE_NOW = sql<bigint>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** The present by `clock`. `given` is the present by the caller's clock. */
export function presentBy(clock: LeaseClock, given: Instant): RawBuilder<bigint> {
  return clock === 'database' ? DATABASE_NOW : sql<bigint>`${BigInt(given)}`;
}

/** Translates a stored instant to the caller's clock. */
export function seenBy(clock: LeaseClock, { given, stored }: { readonly given: Instant; readonly stored: RawBuilder<bigint> }): RawBuilder<bigint> {
  return clock === 'database' ? sql<bigint>`${stored} - ${DATABASE_NOW} + ${BigInt(given)}` : stored;
}

/** Translates the instant `end` of the caller's clock to `clock`. */
export function endBy(clock: LeaseClock, { given, end }: { readonly given: Instant; readonly end: Instant }): RawBuilder<bigint> {
  return clock === 'database' ? sql<bigint>`${DATABASE_NOW} + ${BigInt(end - given)}` : sql<bigint>`${BigInt(end)}`;
}
