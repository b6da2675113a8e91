import { type Charge, chargeFor, chargeOf } from '../money/charge.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import { NO_USAGE, type Usage } from '../money/usage.js';
import type { ReservationId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import { drawableOf, type Means } from './balance.js';
import type { Ledger } from './ledger.js';
import { coveredBy } from './purchase.js';
import type { Reservation, ReservationState } from './reservation.js';
import type { Ending, EndReason, RequestFacts, UsageRecord } from './usage-record.js';

/** Charge before it is clipped to the balance. */
export function chargeOfEnding(ending: Ending, facts: Pick<RequestFacts, 'usdPerServiceToken'>): Charge {
  if (ending.service === null) return chargeOf(ServiceTokens.ZERO, facts.usdPerServiceToken);
  return chargeFor(ending.usage, ending.service.price, facts.usdPerServiceToken);
}

/** The reservation plus all that the balance and the key's limit still allow. */
export function payableOf(means: Means, reserved: ServiceTokens): ServiceTokens {
  return drawableOf(means).plus(reserved);
}

export interface ChargeBounds {
  /** Maximum that the reservation, the balance and the key's limit can pay. */
  readonly payable: ServiceTokens;
  /** Amount that the purchase has paid so far, less reversals; default 0. */
  readonly paid?: ServiceTokens;
  /** Maximum that a receipt promised; default none. */
  readonly atMost?: ServiceTokens | null;
}

/** The cost, split into the part covered by the purchase, the charge and the write-off. */
export interface ClippedCharge extends Pick<UsageRecord, 'charge' | 'writeOff'> {
  readonly covered: ServiceTokens;
}

/** The part that cannot be paid or exceeds `atMost` is written off, never owed. */
export function clipCharge(charge: Charge, { payable, paid = ServiceTokens.ZERO, atMost = null }: ChargeBounds, facts: Pick<RequestFacts, 'usdPerServiceToken'>): ClippedCharge {
  const covered = coveredBy(paid, charge.amount);
  const due = charge.amount.minus(covered);
  const amount = smallerOf(due, atMost === null ? payable : smallerOf(payable, atMost));
  return { charge: chargeOf(amount, facts.usdPerServiceToken), writeOff: due.minus(amount), covered };
}

export function endStateOf(ending: Ending): ReservationState {
  if (ending.reason === 'crashed') return 'expired';
  return ending.service === null ? 'released' : 'settled';
}

/** The ending of a reservation that the sweeper ends. It is charged at the last checkpoint, and free without one. */
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

/** No model served the request, so it is free. */
export function unservedEnding(reason: EndReason, endedAt: Instant): Ending {
  return { reason, service: null, usage: NO_USAGE, firstOutputAt: null, endedAt };
}

export interface DoubtfulReservation {
  readonly ledger: Ledger;
  readonly reservationId: ReservationId;
  readonly now: Instant;
}

/** Releases a reservation that a failing ledger may have made. Never rejects: if the release fails too, the sweeper ends the reservation. */
export async function releaseDoubtful({ ledger, reservationId, now }: DoubtfulReservation): Promise<void> {
  await Promise.allSettled([ledger.settle({ reservationId, ending: unservedEnding('internal_error', now) })]);
}
