import {
  afterSpace, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, endOfNumber, endOfString, isDigit, isKeyThatMoves, isPrintedAsWritten, MINUS, OPEN_BRACE,
  OPEN_BRACKET, QUOTE, SPACE,
} from './tokens.js';

/** Records the positions of quotes, in order. */
export interface StringNotes {
  note(opening: number, closing: number): void;
}

export interface SurveyTerms {
  /** Maximum depth of nested arrays and objects. */
  readonly maximumDepth: number;
  /** Strings, numbers, arrays and objects; the survey stops beyond it. */
  readonly maximumTokens: number;
  /** Numbers and keys are checked from this depth on; the request decoder checks those above. */
  readonly watchedDepth: number;
  /** Called for each top-level field, but not within recalled lists. */
  readonly searches: readonly FieldSearch[];
  /** Called for the members of lists and objects in top-level fields, except in recalled lists. */
  readonly items: readonly ItemPlaces[];
  /** Called for each string outside recalled lists. */
  readonly texts: StringNotes | null;
}

export type JsonSurvey =
  | { readonly withinDepth: false }
  | {
    readonly withinDepth: true;
    /** Parsing and printing changes no number and no key order. */
    readonly printsTheSame: boolean;
    /** Keys of all objects and items of all lists, recalled ones included; undefined for invalid text. */
    readonly keys: number;
    readonly items: number;
    /** Strings, numbers, arrays and objects outside recalled lists. */
    readonly tokens: number;
  };

/** Depth of top-level fields. */
const FIELD_DEPTH = 1;
/** Depth of a list's member in a top-level field. */
const ITEM_DEPTH = FIELD_DEPTH + 2;

class Survey {
  printsTheSame = true;
  tokens = 0;
  #depth = 0;
  #keys = 0;
  /** Every comma and every non-empty list or object begins an item or a key; keys are subtracted. */
  #items = 0;

  constructor(private readonly text: string, private readonly terms: SurveyTerms) {}

  get keys(): number {
    return this.#keys;
  }

  get items(): number {
    return this.#items;
  }

  /** False if the text is too deep. */
  run(): boolean {
    const { text } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code <= SPACE) continue;
      if (code === QUOTE) at = this.#readString(at);
      else if (code === COLON) this.#countKey();
      else if (code === COMMA) this.#items += 1;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#open(at);
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#close(at);
      else if (isDigit(code) || code === MINUS) at = this.#readNumber(at);
      if (this.#depth > this.terms.maximumDepth) return false;
      if (this.tokens > this.terms.maximumTokens) return true;
    }
    return true;
  }

  get #isWatching(): boolean {
    return this.printsTheSame && this.#depth >= this.terms.watchedDepth;
  }

  #countKey(): void {
    this.#keys += 1;
    this.#items -= 1;
  }

  #open(at: number): void {
    this.#depth += 1;
    this.tokens += 1;
    if (!this.#isEmpty(at)) this.#items += 1;
    if (this.#depth === ITEM_DEPTH) for (const items of this.terms.items) items.beginsAt(at, this.#keys);
  }

  #isEmpty(opening: number): boolean {
    const code = this.text.charCodeAt(afterSpace(this.text, opening + 1));
    return code === CLOSE_BRACE || code === CLOSE_BRACKET;
  }

  #close(at: number): void {
    if (this.#depth === ITEM_DEPTH) for (const items of this.terms.items) items.endsAt(at + 1, this.#keys);
    this.#depth -= 1;
    if (this.#depth === FIELD_DEPTH) for (const search of this.terms.searches) search.endsAt(at + 1);
  }

  #readString(opening: number): number {
    const closing = endOfString(this.text, opening);
    this.tokens += 1;
    if (this.#isWatching && isKeyThatMoves(this.text, opening, closing)) this.printsTheSame = false;
    const { searches, texts } = this.terms;
    if (texts !== null) texts.note(opening, closing);
    return searches.length === 0 || this.#depth !== FIELD_DEPTH ? closing : this.#readField(opening, closing);
  }

  /** Returns the position to continue from: after a recalled value. */
  #readField(opening: number, closing: number): number {
    const colon = afterSpace(this.text, closing + 1);
    if (this.text.charCodeAt(colon) !== COLON) return closing;
    const start = afterSpace(this.text, colon + 1);
    let known: ParsedText | null = null;
    for (const search of this.terms.searches) known = search.meet(this.text, { opening, closing, start }) ?? known;
    if (known === null) return closing;
    this.#keys += known.keys;
    // Counts the field's own key: its colon is skipped with the list.
    this.#countKey();
    this.#items += known.items;
    return start + known.text.length - 1;
  }

  #readNumber(start: number): number {
    const end = endOfNumber(this.text, start);
    this.tokens += 1;
    if (this.#isWatching && !isPrintedAsWritten(this.text.slice(start, end))) this.printsTheSame = false;
    return end - 1;
  }
}

/** One pass without parsing; the text may be invalid. `JSON.parse` accepts any depth, but recursive code on its result does not. */
export function surveyJson(text: string, terms: SurveyTerms): JsonSurvey {
  const survey = new Survey(text, terms);
  if (!survey.run()) return { withinDepth: false };
  const { printsTheSame, keys, items, tokens } = survey;
  return { withinDepth: true, printsTheSame, keys, items, tokens };
}

export interface ParsedText {
  readonly text: string;
  readonly value: unknown;
  /** Keys of all objects in the list. */
  readonly keys: number;
  /** Items of all lists in it, including itself. */
  readonly items: number;
}

/** Position of a top-level key and of its value. */
export interface KeyPlace {
  readonly opening: number;
  readonly closing: number;
  readonly start: number;
}

/** `known` is the cached list; `null` if it is not cached. */
export interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly known: ParsedText | null;
}

/** Finds the list in one top-level field during a survey. */
export class FieldSearch {
  readonly #key: string;
  #start = -1;
  #end = -1;
  #known: ParsedText | null = null;
  #ambiguous = false;

  /** `recall` returns the cached list at a position, or `null`. */
  constructor(name: string, private readonly recall: (text: string, start: number) => ParsedText | null) {
    this.#key = `"${name}"`;
  }

  /** Called for each key; returns a cached list. */
  meet(text: string, { opening, closing, start }: KeyPlace): ParsedText | null {
    const key = text.slice(opening, closing + 1);
    // An escaped name may be any name, and the last value of a repeated name counts.
    if (key.includes('\\') || (key === this.#key && this.#start >= 0)) this.#ambiguous = true;
    if (key !== this.#key || this.#ambiguous || text.charCodeAt(start) !== OPEN_BRACKET) return null;
    this.#start = start;
    this.#known = this.recall(text, start);
    if (this.#known !== null) this.#end = start + this.#known.text.length;
    return this.#known;
  }

  /** Called at the end of each list and object in a top-level field. */
  endsAt(end: number): void {
    if (this.#start >= 0 && this.#end < 0) this.#end = end;
  }

  /** True between beginning and end of the list. */
  get isOpen(): boolean {
    return this.#start >= 0 && this.#end < 0;
  }

  /** `null` if there is none, or if the field may be duplicated. */
  get found(): FoundList | null {
    return this.#ambiguous || this.#end < 0 ? null : { start: this.#start, end: this.#end, known: this.#known };
  }
}

/** Position of a list's member, and the number of keys within. */
export interface ItemPlace {
  readonly start: number;
  readonly end: number;
  readonly keys: number;
}

/** Records the positions of objects and lists in a list in a top-level field. */
export class ItemPlaces {
  readonly #places: ItemPlace[] = [];
  #start = -1;
  #keysBefore = 0;

  /** `list` finds the list in the same survey. At most `most` members are recorded. */
  constructor(private readonly list: FieldSearch, private readonly most: number) {}

  /** Called where a member begins, with the number of keys before it. */
  beginsAt(start: number, keysBefore: number): void {
    this.#start = this.list.isOpen && this.#places.length < this.most ? start : -1;
    this.#keysBefore = keysBefore;
  }

  endsAt(end: number, keysBefore: number): void {
    if (this.#start >= 0) this.#places.push({ start: this.#start, end, keys: keysBefore - this.#keysBefore });
  }

  /** In order; `null` unless there is exactly one list and all its members are recorded. */
  placesOf(members: number): readonly ItemPlace[] | null {
    return this.list.found !== null && this.#places.length === members ? this.#places : null;
  }
}
