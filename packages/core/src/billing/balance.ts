import { type ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { invariant } from '../primitives/primitives.js';
import type { ReserveOutcome } from './reservation.js';
import type { ReserveDemand } from './reserve-demand.js';

/** `posted` is what the ledger sums to; `reserved` is the part that running requests hold. */
export interface Balance {
  readonly posted: ServiceTokens;
  readonly reserved: ServiceTokens;
}

/** What can still be reserved. Never stored, never negative. */
export function availableOf(balance: Balance): ServiceTokens {
  return balance.posted.minus(balance.reserved);
}

/** What a request can draw on. */
export interface Means {
  /** Of the account's balance. */
  readonly available: ServiceTokens;
  /** Of its key's limit; `null`: the key has none. */
  readonly left: ServiceTokens | null;
}

/** The lesser of both. */
export function drawableOf({ available, left }: Means): ServiceTokens {
  return left === null ? available : smallerOf(available, left);
}

/** What can be set aside of these means for a demand; the key's limit refuses first. SQL states the same rule as the conditions of its statements. */
export function decideReserve(means: Means, { amount, floor }: ReserveDemand): ReserveOutcome {
  const { available, left } = means;
  invariant(!floor.isNegative() && !amount.isLessThan(floor), 'a floor is between nothing and the amount');
  if (left !== null && left.isLessThan(floor)) return { outcome: 'key-limit', left };
  return available.isLessThan(floor) ? { outcome: 'insufficient', available } : { outcome: 'reserved', amount: smallerOf(amount, drawableOf(means)) };
}
