interface Cell<Value> {
  value: Value | null;
}

/**
 * What comes and goes with requests, by its name. A `Map` makes itself a new table every so many changes, and the old one points to it:
 * once one of them has grown old, whatever stood in any later one outlives its request until the next full collection.
 * Of what was deleted here, only its name is left in any table.
 */
export class PassingMap<Key, Value extends object> {
  readonly #cells = new Map<Key, Cell<Value>>();

  get size(): number {
    return this.#cells.size;
  }

  get(key: Key): Value | null {
    return this.#cells.get(key)?.value ?? null;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    this.#cells.set(key, { value });
  }

  delete(key: Key): void {
    const cell = this.#cells.get(key);
    if (cell === undefined) return;
    cell.value = null;
    this.#cells.delete(key);
  }

  /** In the order in which they were set. May be gone through while values come and go. */
  * values(): IterableIterator<Value> {
    for (const { value } of this.#cells.values()) if (value !== null) yield value;
  }
}
