import { type Clock, type Instant, later, type ReservationId } from '@tollgate/core';

/**
 * How long a reservation to give back is looked for after it was first not found: a server that was silent may still make it.
 * Longer than the server lets a statement last.
 */
export const LATE_RESERVATION_MILLISECONDS = 10_000;

/** Reservations of unknown outcome that were not found when they were given back. */
export class MissedReservations {
  readonly #since = new Map<ReservationId, Instant>();

  constructor(private readonly clock: Clock) {}

  /** Notes that a reservation was not found. Returns whether it may still be made; `false` forgets it. */
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
