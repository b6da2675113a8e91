import type { ReservationId } from '@tollgate/core';

/** Maximum entries of a generation. The cache has at most two generations. */
const ENTRIES_OF_A_GENERATION = 10_000;

/** A bounded cache. Evicts a whole generation at a time, because finding the oldest entry costs more than it saves. */
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
 * Accounts of recently requested reservations, so that operations of one account are kept in order. Only an optimisation, since the database checks
 * every operation.
 */
export class KnownAccounts {
  /** More than one account only if a reservation was requested for several accounts. */
  readonly #known = new RecentCache<ReservationId, readonly string[]>();

  note(reservation: ReservationId, account: string): void {
    const accounts = this.of(reservation);
    if (!accounts.includes(account)) this.#known.set(reservation, [...accounts, account]);
  }

  of(reservation: ReservationId): readonly string[] {
    return this.#known.get(reservation) ?? [];
  }

  /** Call at the end of a reservation, when the order of its operations no longer matters. */
  forget(reservation: ReservationId): void {
    this.#known.delete(reservation);
  }
}
