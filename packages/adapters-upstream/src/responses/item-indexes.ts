import type { JsonObject } from '@tollgate/core';
import { asNumber, asObject, asText } from '../reply/json-values.js';

/** Numbers items by `output_index`, because some servers change ids, or by id for llama.cpp, which sends no index. */
export class ItemIndexes {
  readonly #byId = new Map<string, number>();
  #latest = -1;

  get latest(): number {
    return Math.max(0, this.#latest);
  }

  begin({ output_index: stated, item }: JsonObject): number {
    this.#latest = asNumber(stated) ?? this.#latest + 1;
    const id = idOf(asObject(item));
    if (id !== null) this.#byId.set(id, this.#latest);
    return this.#latest;
  }

  /** The number of an event's item; `null` if the event identifies no item. */
  find({ output_index: stated, item, item_id: id }: JsonObject): number | null {
    return asNumber(stated) ?? this.#byId.get(asText(id) || idOf(asObject(item)) || '') ?? null;
  }
}

/** The item's id, or its `call_id`: older versions of llama.cpp give calls no other. */
function idOf(item: JsonObject | null): string | null {
  return asText(item?.['id']) || asText(item?.['call_id']) || null;
}
