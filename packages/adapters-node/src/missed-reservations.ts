import { type Clock, type Instant, later, type ReservationId } from '@tollgate/core';

/**
 * If a release finds no reservation, a server that was silent may still execute the reservation within this time. Exceeds the server's statement
 * timeout.
 */
export const LATE_RESERVATION_MILLISECONDS = 10_000;

/** Reservations of unknown outcome that were not found at their release. */
export class MissedReservations {
  readonly #since = new Map<ReservationId, Instant>();

  constructor(private readonly clock: Clock) {}

  /** Records that a reservation was not found. Returns false, and forgets it, if it can no longer appear. */
  mayAppear(id: ReservationId): boolean {
    const now = this.clock.now();
    const since = this.#since.get(id) ?? now;
    if (now >= later(since, LATE_RESERVATION_MILLISECONDS)) {
      this.forget(id);
      return false;
    }
    this.#since.set(id, since);
    return true;
  }

  forget(id: ReservationId): void {
    this.#since.delete(id);
  }
}
