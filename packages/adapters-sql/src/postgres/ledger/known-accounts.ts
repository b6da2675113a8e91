import { PassingMap, type ReservationId } from '@tollgate/core';

/** Twice as many are known at most. */
const RESERVATIONS_KEPT = 10_000;

/**
 * Which account a reservation is on, as far as this process has asked for it lately and not ended it; so that what happens to one account
 * stays in order. Nothing depends on it but that order: the database looks for itself.
 */
export class KnownAccounts {
  /** More than one account only when the same reservation was asked for on several. */
  #latest = new PassingMap<ReservationId, readonly string[]>();
  /** Known for longer: forgotten all at once, since looking for the oldest one in a long table costs more than what it is for. */
  #earlier = this.#latest;

  note(reservation: ReservationId, account: string): void {
    const known = this.of(reservation);
    if (known.includes(account)) return;
    if (this.#latest.size === RESERVATIONS_KEPT) {
      this.#earlier = this.#latest;
      this.#latest = new PassingMap();
    }
    this.#latest.set(reservation, [...known, account]);
  }

  of(reservation: ReservationId): readonly string[] {
    return this.#latest.get(reservation) ?? this.#earlier.get(reservation) ?? [];
  }

  /** Of one that has ended nothing more is asked, or only what may come in any order. */
  forget(reservation: ReservationId): void {
    this.#latest.delete(reservation);
    this.#earlier.delete(reservation);
  }
}
