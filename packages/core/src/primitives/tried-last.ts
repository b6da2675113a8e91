/**
 * Puts items that were tried before behind all others, the one tried longest ago first. Otherwise, items that always fail could keep others waiting for
 * ever.
 */
export class TriedLast<Id> {
  /** In the order of their last tries. */
  readonly #tried = new Set<Id>();

  /** How many items to read, so that `limit` of them were not tried before. */
  toRead(limit: number): number {
    return limit + this.#tried.size;
  }

  /** Orders the items, and forgets those that are no longer among them. */
  order<Item>(items: readonly Item[], idOf: (item: Item) => Id): readonly Item[] {
    const byId = new Map(items.map((item) => [idOf(item), item]));
    for (const id of this.#tried) if (!byId.has(id)) this.#tried.delete(id);
    const tried = [...this.#tried].flatMap((id) => byId.get(id) ?? []);
    return [...items.filter((item) => !this.#tried.has(idOf(item))), ...tried];
  }

  trying(id: Id): void {
    this.#tried.delete(id);
    this.#tried.add(id);
  }
}
