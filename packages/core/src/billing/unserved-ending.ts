import { NO_USAGE } from '../generation/usage.js';
import type { ReservationId } from '../ids.js';
import type { Ledger } from '../ports/ledger.js';
import type { Instant } from '../time/instant.js';
import type { Ending, EndReason } from './usage-record.js';

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
