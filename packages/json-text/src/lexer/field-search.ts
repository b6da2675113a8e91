import { OPEN_BRACKET } from './tokens.js';

/** A JSON text with its parsed value. */
export interface ParsedText {
  readonly text: string;
  readonly value: unknown;
  /** Keys of all objects in it. */
  readonly keys: number;
  /** Items of all lists in it, itself included. */
  readonly items: number;
}

/** Positions of a key of the outermost object, and where its value begins. */
export interface KeyPlace {
  readonly opening: number;
  readonly closing: number;
  readonly start: number;
}

/** Positions of the list in a field; `known` is the cached list, if it is one. */
export interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly known: ParsedText | null;
}

/** Finds the list in one field of the outermost object while the text is surveyed. */
export class FieldSearch {
  readonly #key: string;
  #start = -1;
  #end = -1;
  #known: ParsedText | null = null;
  #ambiguous = false;

  /** `recall` gives the cached list at a position, or `null`. */
  constructor(name: string, private readonly recall: (text: string, start: number) => ParsedText | null) {
    this.#key = `"${name}"`;
  }

  /** The survey calls this for each key; the result is the key's value if that is a cached list. */
  meet(text: string, { opening, closing, start }: KeyPlace): ParsedText | null {
    const key = text.slice(opening, closing + 1);
    // An escape may spell any name, and the last value of a repeated name counts.
    if (key.includes('\\') || (key === this.#key && this.#start >= 0)) this.#ambiguous = true;
    if (key !== this.#key || this.#ambiguous || text.charCodeAt(start) !== OPEN_BRACKET) return null;
    this.#start = start;
    this.#known = this.recall(text, start);
    if (this.#known !== null) this.#end = start + this.#known.text.length;
    return this.#known;
  }

  /** The survey calls this at the end of each list and object in a field of the outermost object. */
  endsAt(end: number): void {
    if (this.#start >= 0 && this.#end < 0) this.#end = end;
  }

  /** Whether the list has begun and has not ended. */
  get isOpen(): boolean {
    return this.#start >= 0 && this.#end < 0;
  }

  /** The list; `null` if there is none, or if another field may have the same name. */
  get found(): FoundList | null {
    return this.#ambiguous || this.#end < 0 ? null : { start: this.#start, end: this.#end, known: this.#known };
  }
}

/** Where a member of a list begins and ends in a JSON text, and how many keys are written between. */
export interface ItemPlace {
  readonly start: number;
  readonly end: number;
  readonly keys: number;
}

/** Records the positions of the objects and lists that are members of a list in a field of the outermost object. */
export class ItemPlaces {
  readonly #places: ItemPlace[] = [];
  #start = -1;
  #keysBefore = 0;

  /** `list` finds the list during the same survey. Members after the first `most` are not recorded. */
  constructor(private readonly list: FieldSearch, private readonly most: number) {}

  /** The survey calls this where a member begins, with the number of keys before it. */
  beginsAt(start: number, keysBefore: number): void {
    this.#start = this.list.isOpen && this.#places.length < this.most ? start : -1;
    this.#keysBefore = keysBefore;
  }

  endsAt(end: number, keysBefore: number): void {
    if (this.#start >= 0) this.#places.push({ start: this.#start, end, keys: keysBefore - this.#keysBefore });
  }

  /** The position of each member in order; `null` unless exactly one list was found and all its members are recorded. */
  placesOf(members: number): readonly ItemPlace[] | null {
    return this.list.found !== null && this.#places.length === members ? this.#places : null;
  }
}
