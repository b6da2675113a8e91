import type { Instant } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';

/**
 * Clock by which leases and claims are decided. `database` is the server's clock, which statements read, since the clocks of machines differ.
 * `caller` is that of the process, for a database on one machine and for tests with a virtual clock.
 */
export type LeaseClock = 'database' | 'caller';

/** Time at which the server received the statement, in Unix milliseconds. */
const DATABASE_NOW = sql<bigint>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** Present time of `clock`. `given` is the present time of the caller's clock. */
export function presentBy(clock: LeaseClock, given: Instant): RawBuilder<bigint> {
  return clock === 'database' ? DATABASE_NOW : sql<bigint>`${BigInt(given)}`;
}

/** Converts a stored time to the caller's clock. */
export function seenBy(clock: LeaseClock, { given, stored }: { readonly given: Instant; readonly stored: RawBuilder<bigint> }): RawBuilder<bigint> {
  return clock === 'database' ? sql<bigint>`${stored} - ${DATABASE_NOW} + ${BigInt(given)}` : stored;
}

/** Converts the time `end` from the caller's clock to `clock`. */
export function endBy(clock: LeaseClock, { given, end }: { readonly given: Instant; readonly end: Instant }): RawBuilder<bigint> {
  return clock === 'database' ? sql<bigint>`${DATABASE_NOW} + ${BigInt(end - given)}` : sql<bigint>`${BigInt(end)}`;
}
