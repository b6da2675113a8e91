import { type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';

/**
 * Keeps an entry for at least a minute after it was last set and forgets it within two, once the map is used again.
 * Forgetting drops a whole generation at a time, so that no call ever walks through the entries.
 */
export class RecentMap<Key, Value> {
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #turnedAt: Instant;

  constructor(now: Instant) {
    this.#turnedAt = now;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: Key, value: Value, now: Instant): void {
    this.#turnWhenDue(now);
    this.#young.set(key, value);
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Also after the system clock was set back, or entries would be kept until it has caught up. */
  #turnWhenDue(now: Instant): void {
    if (Math.abs(now - this.#turnedAt) < MILLISECONDS_PER_MINUTE) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#turnedAt = now;
  }
}
