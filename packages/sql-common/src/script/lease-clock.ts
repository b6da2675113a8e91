import type { Instant } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';

/**
 * The clock by which statements judge leases and claims. `database`: the server's own, read by the statement, since several machines share the
 * database and their clocks differ. `caller`: that of the process, for a database that one machine uses and for tests with a virtual clock.
 */
export type LeaseClock = 'database' | 'caller';

/** Unix milliseconds on the server, when it received the statement. */
const DATABASE_NOW = sql<bigint>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** The present by that clock, where the caller's own clock says `given`. */
export function presentBy(clock: LeaseClock, given: Instant): RawBuilder<bigint> {
  return clock === 'database' ? DATABASE_NOW : sql<bigint>`${BigInt(given)}`;
}

/** A stored instant of that clock, by the caller's own: as far from `given` as it is from the present. */
export function seenBy(clock: LeaseClock, { given, stored }: { readonly given: Instant; readonly stored: RawBuilder<bigint> }): RawBuilder<bigint> {
  return clock === 'database' ? sql<bigint>`${stored} - ${DATABASE_NOW} + ${BigInt(given)}` : stored;
}

/** An end that the caller computed from its own `given`: as far from the present of that clock. */
export function endBy(clock: LeaseClock, { given, end }: { readonly given: Instant; readonly end: Instant }): RawBuilder<bigint> {
  return clock === 'database' ? sql<bigint>`${DATABASE_NOW} + ${BigInt(end - given)}` : sql<bigint>`${BigInt(end)}`;
}
