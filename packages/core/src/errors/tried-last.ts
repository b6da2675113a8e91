import { tryInTurn } from './try-in-turn.js';

interface ItemsToTry<Id, Item> {
  /** The maximum number of items to try. */
  readonly limit: number;
  readonly read: (limit: number) => Promise<readonly Item[]>;
  readonly idOf: (item: Item) => Id;
}

/**
 * Tries items that were tried before after all others, the one tried longest ago first. Otherwise, items that always fail could keep others waiting for
 * ever.
 */
export class TriedLast<Id> {
  /** In the order of their last tries. */
  readonly #tried = new Set<Id>();

  /** Runs the task like the function `tryInTurn`; returns the number of items. */
  async tryInTurn<Item>({ limit, read, idOf }: ItemsToTry<Id, Item>, task: (item: Item) => Promise<unknown>, isFinal?: (failure: unknown) => boolean): Promise<number> {
    // If that many wait, at least `limit` of them were not tried before.
    const items = this.order(await read(limit + this.#tried.size), idOf).slice(0, limit);
    await tryInTurn(items, (item) => {
      const id = idOf(item);
      this.#tried.delete(id);
      this.#tried.add(id);
      return task(item);
    }, isFinal);
    return items.length;
  }

  /** Orders the items, and forgets those that are no longer among them. */
  private order<Item>(items: readonly Item[], idOf: (item: Item) => Id): readonly Item[] {
    const byId = new Map(items.map((item) => [idOf(item), item]));
    for (const id of this.#tried) if (!byId.has(id)) this.#tried.delete(id);
    const tried = [...this.#tried].flatMap((id) => byId.get(id) ?? []);
    return [...items.filter((item) => !this.#tried.has(idOf(item))), ...tried];
  }
}
