import type { FieldSearch } from './field-search.js';

/** Where a member of a list begins and ends in a JSON text, and how many keys are written between. */
export interface ItemPlace {
  readonly start: number;
  readonly end: number;
  readonly keys: number;
}

/** Where the objects and lists stand that are members of a list in a field of the outermost object. */
export class ItemPlaces {
  readonly #places: ItemPlace[] = [];
  #start = -1;
  #keysBefore = 0;

  /** `list` looks for the list while the text is surveyed. One with more than the most members is not remembered. */
  constructor(private readonly list: FieldSearch, private readonly most: number) {}

  /** Told where each member of any such list or object begins, and how many keys the text has until there. */
  beginsAt(start: number, keysBefore: number): void {
    this.#start = this.list.isOpen && this.#places.length < this.most ? start : -1;
    this.#keysBefore = keysBefore;
  }

  endsAt(end: number, keysBefore: number): void {
    if (this.#start >= 0) this.#places.push({ start: this.#start, end, keys: keysBefore - this.#keysBefore });
  }

  /** Of each member in turn; `null` when it is not sure that there is one list, or that of each of so many members the place is known. */
  placesOf(members: number): readonly ItemPlace[] | null {
    return this.list.found !== null && this.#places.length === members ? this.#places : null;
  }
}
