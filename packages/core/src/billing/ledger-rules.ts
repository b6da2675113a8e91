import { invariant } from '../invariant.js';
import { NO_USAGE, type Usage } from '../generation/usage.js';
import { type Charge, chargeFor, chargeOf } from '../money/charge.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { Reservation, ReservationState, ReserveDemand, ReserveOutcome } from './reservation.js';
import type { Ending, EndReason, RequestFacts, UsageRecord } from './usage-record.js';
import type { Instant } from '../time/instant.js';
import type { ReservationId } from '../ids.js';
import type { Ledger } from '../ports/ledger.js';

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

/** What an ending costs before the balance is looked at. */
export function chargeOfEnding(ending: Ending, facts: Pick<RequestFacts, 'usdPerServiceToken'>): Charge {
  if (ending.service === null) return chargeOf(ServiceTokens.ZERO, facts.usdPerServiceToken);
  return chargeFor(ending.usage, ending.service.price, facts.usdPerServiceToken);
}

/** The most a reservation can be charged: its own amount and all that can be drawn besides. */
export function payableOf(means: Means, reserved: ServiceTokens): ServiceTokens {
  return drawableOf(means).plus(reserved);
}

/** Clips a charge to what can be paid; the rest is written off, never owed. */
export function clipCharge(charge: Charge, payable: ServiceTokens, facts: RequestFacts): Pick<UsageRecord, 'charge' | 'writeOff'> {
  const amount = smallerOf(charge.amount, payable);
  return { charge: chargeOf(amount, facts.usdPerServiceToken), writeOff: charge.amount.minus(amount) };
}

/** The state a reservation ends in. */
export function endStateOf(ending: Ending): ReservationState {
  if (ending.reason === 'crashed') return 'expired';
  return ending.service === null ? 'released' : 'settled';
}

/** How the sweeper ends a reservation whose owner is gone: at its last checkpoint, or at nothing if it has none. */
export function endingOfOrphan(reservation: Reservation, now: Instant): Ending {
  const progress = reservation.progress;
  const usage: Usage = progress === null ? NO_USAGE : progress.usage;
  return {
    reason: 'crashed',
    service: progress?.service ?? null,
    usage: { ...usage, source: 'checkpoint' },
    firstOutputAt: null,
    endedAt: now,
  };
}

/** The ending of a request that nothing served: it costs nothing. */
export function unservedEnding(reason: EndReason, endedAt: Instant): Ending {
  return { reason, service: null, usage: NO_USAGE, firstOutputAt: null, endedAt };
}

export interface DoubtfulReservation {
  readonly ledger: Ledger;
  readonly reservationId: ReservationId;
  readonly now: Instant;
}

/**
 * Gives back a reservation that a failing ledger may have made all the same. Never rejects:
 * if it had made none, there is nothing to give back, and it says so by failing again.
 */
export async function releaseDoubtful({ ledger, reservationId, now }: DoubtfulReservation): Promise<void> {
  await Promise.allSettled([ledger.settle({ reservationId, ending: unservedEnding('internal_error', now) })]);
}
