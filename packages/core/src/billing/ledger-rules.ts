import { invariant } from '../invariant.js';
import { NO_USAGE, type Usage } from '../generation/usage.js';
import { type Charge, chargeFor, chargeOf } from '../money/charge.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { type Balance, availableOf } from './balance.js';
import type { Reservation, ReservationState, ReserveDemand, ReserveOutcome } from './reservation.js';
import type { Ending, RequestFacts, UsageRecord } from './usage-record.js';
import type { Instant } from '../time/instant.js';

/** What can be set aside of an available amount for a demand. SQL states the same rule as the conditions of its statements. */
export function decideReserve(available: ServiceTokens, { amount, floor }: ReserveDemand): ReserveOutcome {
  invariant(!floor.isNegative() && !amount.isLessThan(floor), 'a floor is between nothing and the amount');
  return available.isLessThan(floor) ? { outcome: 'insufficient', available } : { outcome: 'reserved', amount: smallerOf(amount, available) };
}

/** What an ending costs before the balance is looked at. */
export function chargeOfEnding(ending: Ending, facts: Pick<RequestFacts, 'usdPerServiceToken'>): Charge {
  if (ending.service === null) return chargeOf(ServiceTokens.ZERO, facts.usdPerServiceToken);
  return chargeFor(ending.usage, ending.service.price, facts.usdPerServiceToken);
}

/** The most a reservation can be charged: its own amount and all that is available besides. */
export function payableOf(balance: Balance, reserved: ServiceTokens): ServiceTokens {
  return availableOf(balance).plus(reserved);
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
