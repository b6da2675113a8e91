/** Of each generation; twice as many are known at most. */
const KEPT = 10_000;

/**
 * What this process knows of things that come and go with requests, and that the database holds authoritatively. When there are too many, those known
 * for longest are forgotten all at once: looking for the oldest one in a long table costs more than what it is for.
 */
export class RecentCache<Key, Value extends object> {
  #latest = new Map<Key, Value>();
  #earlier = this.#latest;

  get(key: Key): Value | null {
    return this.#latest.get(key) ?? this.#earlier.get(key) ?? null;
  }

  set(key: Key, value: Value): void {
    if (this.#latest.size === KEPT) {
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
