import type { JsonObject } from '@tollgate/core';
import { parseObject } from '../json-access.js';
import { EventShape } from './event-shape.js';

/** How often in a row a shape may be looked for in vain: a server whose events all differ is not worth looking at. */
const MOST_SEARCHES = 4;
/** Every stream keeps an event and its shape, so that those which are much longer than a piece of a reply are not worth it. */
const LONGEST_SEARCHED = 4096;

/** Parses the events of one stream. Most differ from the one before in nothing but a text, and are not parsed from the beginning. */
export class EventParser {
  #previous = '';
  #shape: EventShape | null = null;
  #searchesLeft = MOST_SEARCHES;

  /** The object that an event holds, which is good until the next event is parsed; `null` when it holds none. */
  parse(event: string): JsonObject | null {
    const known = this.#shape?.read(event) ?? null;
    if (known === null) return this.#parseWhole(event);
    this.#searchesLeft = MOST_SEARCHES;
    return known;
  }

  #parseWhole(event: string): JsonObject | null {
    const object = parseObject(event);
    if (object !== null && this.#searchesLeft > 0 && event.length <= LONGEST_SEARCHED) this.#search(event);
    return object;
  }

  #search(event: string): void {
    if (this.#previous !== '') {
      this.#searchesLeft -= 1;
      this.#shape = EventShape.ofBoth(this.#previous, event) ?? this.#shape;
    }
    this.#previous = event;
  }
}
