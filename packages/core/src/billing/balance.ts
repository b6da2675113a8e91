import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { invariant } from '../primitives/invariant.js';
import type { ReserveOutcome } from './reservation.js';
import type { ReserveDemand } from './reserve-demand.js';

/** `posted`: sum of the ledger entries; `reserved`: held by running requests. */
export interface Balance {
  readonly posted: ServiceTokens;
  readonly reserved: ServiceTokens;
}

export const MAX_BALANCE = ServiceTokens.fromUnits(1_000_000_000_000_000_000n);

/** Computed, not stored; never negative. */
export function availableOf(balance: Balance): ServiceTokens {
  return balance.posted.minus(balance.reserved);
}

export interface Means {
  readonly available: ServiceTokens;
  /** Part of the key's limit that is neither spent nor reserved; `null` if the key has no limit. */
  readonly left: ServiceTokens | null;
}

export function drawableOf({ available, left }: Means): ServiceTokens {
  return left === null ? available : smallerOf(available, left);
}

/** Checks the key's limit first. The SQL statements implement the same rule. */
export function decideReserve(means: Means, { amount, floor }: ReserveDemand): ReserveOutcome {
  const { available, left } = means;
  invariant(!floor.isNegative() && !amount.isLessThan(floor), 'a floor is between zero and the amount');
  if (left !== null && left.isLessThan(floor)) return { outcome: 'key-limit', left };
  return available.isLessThan(floor) ? { outcome: 'insufficient', available } : { outcome: 'reserved', amount: smallerOf(amount, drawableOf(means)) };
}
