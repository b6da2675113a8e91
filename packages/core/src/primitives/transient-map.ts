// V8 keeps what a Map has deleted: docs/performance.md states the cost. A plain Map serves every use of this one.

interface Cell<Value> {
  value: Value | undefined;
}

/**
 * A map whose deleted values are not retained; for entries that live as long as a request. A `Map` moves to a new table every so many changes,
 * and the old table refers to the new one: once a table is in the old generation, the values of every later table survive scavenges.
 * Here the tables refer to cells, which a deletion empties.
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

  /** In the order in which they were set. Values may be set and deleted during the iteration. */
  * values(): IterableIterator<Value> {
    for (const { value } of this.#cells.values()) if (value !== undefined) yield value;
  }
}
