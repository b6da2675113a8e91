import type { FoundList } from './field-search.js';

/** Where a member of a list begins and ends in a JSON text, and how many keys are written between. */
export interface ItemPlace {
  readonly start: number;
  readonly end: number;
  readonly keys: number;
}

/** Where the objects and lists stand that are members of a list, or of an object, in a field of the outermost object. */
export class ItemPlaces {
  readonly #places: ItemPlace[] = [];
  #start = 0;
  #keysBefore = 0;

  /** Told where each begins, in order, and how many keys the text has until there. */
  beginsAt(start: number, keysBefore: number): void {
    this.#start = start;
    this.#keysBefore = keysBefore;
  }

  endsAt(end: number, keysBefore: number): void {
    this.#places.push({ start: this.#start, end, keys: keysBefore - this.#keysBefore });
  }

  /** Those that stand in a list, in order. */
  of({ start, end }: FoundList): readonly ItemPlace[] {
    return this.#places.filter((place) => place.start > start && place.end < end);
  }
}
