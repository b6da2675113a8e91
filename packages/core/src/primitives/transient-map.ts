// Works around V8's retention of deleted Map values, at the cost that docs/performance.md states. Otherwise, a plain Map would do.

interface Cell<Value> {
  value: Value | undefined;
}

/**
 * A map for short-lived entries whose deleted values can be collected. A `Map` rehashes into a new table and links the old one to it; an old table in
 * the old generation keeps the values of later tables alive across scavenges. This map stores cells, which a deletion empties.
 */
export class TransientMap<Key, Value extends object> {
  readonly #cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.#cells.size;
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#cells.set(key, { value });
  }

  delete(key: Key): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) return;
    cell.value = undefined;
    this.#cells.delete(key);
  }

  /** In the order of the last `set` of each key. The map may change during the iteration. */
  * values(): IterableIterator<Value> {
    for (const { value } of this.#cells.values()) if (value !== undefined) yield value;
  }
}
