import { OPEN_BRACKET } from './tokens.js';

/** A JSON text and what it was parsed to. */
export interface ParsedText {
  readonly text: string;
  readonly value: unknown;
  /** Keys of all objects in it. */
  readonly keys: number;
  /** Items of all lists in it, and of itself. */
  readonly items: number;
}

/** Where a key of the outermost object begins and ends, and where its value begins. */
export interface KeyPlace {
  readonly opening: number;
  readonly closing: number;
  readonly start: number;
}

/** Where the list in a field stands, and what the list is where that is known already. */
export interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly known: ParsedText | null;
}

/** Looks for a list in a field of the outermost object of one text, while the text is surveyed. */
export class FieldSearch {
  readonly #key: string;
  #start = -1;
  #end = -1;
  #known: ParsedText | null = null;
  #ambiguous = false;

  /** `recall` gives the known text that stands at a position, `null` when none does. */
  constructor(name: string, private readonly recall: (text: string, start: number) => ParsedText | null) {
    this.#key = `"${name}"`;
  }

  /** Told of each key; gives what is known to be its value. */
  meet(text: string, { opening, closing, start }: KeyPlace): ParsedText | null {
    const key = text.slice(opening, closing + 1);
    // Escapes may spell any name, and of a name that is written twice the last value counts.
    if (key.includes('\\') || (key === this.#key && this.#start >= 0)) this.#ambiguous = true;
    if (key !== this.#key || this.#ambiguous || text.charCodeAt(start) !== OPEN_BRACKET) return null;
    this.#start = start;
    this.#known = this.recall(text, start);
    if (this.#known !== null) this.#end = start + this.#known.text.length;
    return this.#known;
  }

  /** Told where each list and object in a field of the outermost object ends. */
  endsAt(end: number): void {
    if (this.#start >= 0 && this.#end < 0) this.#end = end;
  }

  /** Whether the list has begun and has not ended. */
  get isOpen(): boolean {
    return this.#start >= 0 && this.#end < 0;
  }

  /** The list, if the text is sound and has no other field that may bear the name; `null` when there is none, or more than one. */
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
