import type { KeyBudget, RequestFacts, ReservationId } from '@tollgate/core';
import { RecentCache } from '@tollgate/sql-common';

/** What a reservation was when this process made it. */
export interface CachedReservation {
  readonly facts: RequestFacts;
  readonly budget: KeyBudget | null;
  /** In micro-tokens; less than the reserved amount after an extension. */
  readonly amount: bigint;
}

/**
 * What this process has reserved and not settled, so that a settlement need not read it again. Whether a reservation is held is not known here,
 * nor whether it ever came to be: the statement that ends the reservation verifies it.
 */
export class ReservationCache {
  private readonly known = new RecentCache<ReservationId, CachedReservation>();

  remember(id: ReservationId, reservation: CachedReservation): void {
    this.known.set(id, reservation);
  }

  /** What is known, which is forgotten: a reservation ends once. */
  take(id: ReservationId): CachedReservation | null {
    const reservation = this.known.get(id);
    this.known.delete(id);
    return reservation;
  }
}
