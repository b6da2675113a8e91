import type { ReservationId } from '@tollgate/core';

/** Entries of one generation; the cache holds two at most. */
const ENTRIES_OF_A_GENERATION = 10_000;

/** A bounded cache of rows that the database holds. It evicts a whole generation at once: finding the oldest entry of a long table costs more than it saves. */
class RecentCache<Key, Value extends object> {
  #latest = new Map<Key, Value>();
  #earlier = this.#latest;

  get(key: Key): Value | null {
    return this.#latest.get(key) ?? this.#earlier.get(key) ?? null;
  }

  set(key: Key, value: Value): void {
    if (this.#latest.size === ENTRIES_OF_A_GENERATION) {
      this.#earlier = this.#latest;
      this.#latest = new Map();
    }
    this.#latest.set(key, value);
  }

  delete(key: Key): void {
    this.#latest.delete(key);
    this.#earlier.delete(key);
  }
}

/**
 * Which account a reservation is on, if this process asked for it recently and has not ended it: the operations of one account
 * stay in order. Nothing else depends on it, since the database looks for itself.
 */
export class KnownAccounts {
  /** More than one account only when the same reservation was asked for on several. */
  readonly #known = new RecentCache<ReservationId, readonly string[]>();

  note(reservation: ReservationId, account: string): void {
    const accounts = this.of(reservation);
    if (!accounts.includes(account)) this.#known.set(reservation, [...accounts, account]);
  }

  of(reservation: ReservationId): readonly string[] {
    return this.#known.get(reservation) ?? [];
  }

  /** Of one that has ended nothing more is asked, or only what may come in any order. */
  forget(reservation: ReservationId): void {
    this.#known.delete(reservation);
  }
}
