import { type Charge, chargeFor, chargeOf } from '../money/price.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { NO_USAGE, type Usage } from '../money/usage.js';
import type { ReservationId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { drawableOf, type Means } from './balance.js';
import type { Ledger } from './ledger.js';
import { coveredBy } from './purchase.js';
import type { Reservation, ReservationState } from './reservation.js';
import type { Ending, EndReason, RequestFacts, UsageRecord } from './usage-record.js';

/** What an ending costs before the balance is looked at. */
export function chargeOfEnding(ending: Ending, facts: Pick<RequestFacts, 'usdPerServiceToken'>): Charge {
  if (ending.service === null) return chargeOf(ServiceTokens.ZERO, facts.usdPerServiceToken);
  return chargeFor(ending.usage, ending.service.price, facts.usdPerServiceToken);
}

/** The most a reservation can be charged: its own amount and all that can be drawn besides. */
export function payableOf(means: Means, reserved: ServiceTokens): ServiceTokens {
  return drawableOf(means).plus(reserved);
}

/** What bounds the charge of a request besides its cost. */
export interface ChargeBounds {
  /** What its reservation, the balance and the key's limit can pay. */
  readonly payable: ServiceTokens;
  /** What its purchase has been charged so far, less reversals; nothing unless given. */
  readonly paid?: ServiceTokens;
  /** What a receipt has promised; no bound unless given. */
  readonly atMost?: ServiceTokens | null;
}

/** How a cost was met: `covered` by other requests of the purchase, charged, or written off. The three add up to the cost. */
export interface ClippedCharge extends Pick<UsageRecord, 'charge' | 'writeOff'> {
  readonly covered: ServiceTokens;
}

/** Clips a charge to what is due and can be paid; the rest is written off, never owed. */
export function clipCharge(charge: Charge, { payable, paid = ServiceTokens.ZERO, atMost = null }: ChargeBounds, facts: Pick<RequestFacts, 'usdPerServiceToken'>): ClippedCharge {
  const covered = coveredBy(paid, charge.amount);
  const due = charge.amount.minus(covered);
  const amount = smallerOf(due, atMost === null ? payable : smallerOf(payable, atMost));
  return { charge: chargeOf(amount, facts.usdPerServiceToken), writeOff: due.minus(amount), covered };
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
