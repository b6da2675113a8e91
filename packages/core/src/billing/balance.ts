import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { invariant } from '../primitives/primitives.js';
import type { ReserveOutcome } from './reservation.js';
import type { ReserveDemand } from './reserve-demand.js';

/** `posted` is the sum of the ledger entries; `reserved` is held by running requests. */
export interface Balance {
  readonly posted: ServiceTokens;
  readonly reserved: ServiceTokens;
}

/** The largest balance that a ledger keeps. */
export const MAX_BALANCE = ServiceTokens.fromUnits(1_000_000_000_000_000_000n);

/** Derived, never stored; never negative. */
export function availableOf(balance: Balance): ServiceTokens {
  return balance.posted.minus(balance.reserved);
}

export interface Means {
  /** The account's available balance. */
  readonly available: ServiceTokens;
  /** What is left of the key's limit; `null` if the key has none. */
  readonly left: ServiceTokens | null;
}

/** The smaller of the two. */
export function drawableOf({ available, left }: Means): ServiceTokens {
  return left === null ? available : smallerOf(available, left);
}

/** The key's limit is checked first. The SQL statements implement the same rule as conditions. */
export function decideReserve(means: Means, { amount, floor }: ReserveDemand): ReserveOutcome {
  const { available, left } = means;
  invariant(!floor.isNegative() && !amount.isLessThan(floor), 'a floor is between nothing and the amount');
  if (left !== null && left.isLessThan(floor)) return { outcome: 'key-limit', left };
  return available.isLessThan(floor) ? { outcome: 'insufficient', available } : { outcome: 'reserved', amount: smallerOf(amount, drawableOf(means)) };
}
