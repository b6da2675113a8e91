import {
  afterSpace, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, endOfNumber, endOfString, isDigit, isKeyThatMoves, isPrintedAsWritten, MINUS, OPEN_BRACE,
  OPEN_BRACKET, QUOTE, SPACE,
} from './tokens.js';

/** Takes note of where strings stand: the positions of their quotes, in order. */
export interface StringNotes {
  note(opening: number, closing: number): void;
}

/** What to look for in a text. */
export interface SurveyTerms {
  /** Arrays and objects within each other. */
  readonly maximumDepth: number;
  /** Strings, numbers, arrays and objects: the survey ends at the first one more. */
  readonly maximumTokens: number;
  /** Numbers and keys are looked at from this depth on; the request decoder checks those above. */
  readonly watchedDepth: number;
  /** Called for each field of the outermost object; the survey skips lists that a search recalls. */
  readonly searches: readonly FieldSearch[];
  /** Called for the members of each list or object in a field of the outermost object, except in recalled lists. */
  readonly items: readonly ItemPlaces[];
  /** Called for each string outside recalled lists. */
  readonly texts: StringNotes | null;
}

export type JsonSurvey =
  | { readonly withinDepth: false }
  | {
    readonly withinDepth: true;
    /** Parsing the text and printing the result changes no number and no order of keys. */
    readonly printsTheSame: boolean;
    /** Keys of all objects and items of all lists, those of known lists included; of a text that is not sound, any number. */
    readonly keys: number;
    readonly items: number;
    /** Strings, numbers, arrays and objects outside known lists. */
    readonly tokens: number;
  };

/** Where the fields of the outermost object stand. */
const FIELD_DEPTH = 1;
/** Where a member of a list in such a field is. */
const ITEM_DEPTH = FIELD_DEPTH + 2;

class Survey {
  printsTheSame = true;
  tokens = 0;
  #depth = 0;
  #keys = 0;
  /** Items of lists: each comma and each list or object that is not empty begins an item or a key, so keys are taken away. */
  #items = 0;

  constructor(private readonly text: string, private readonly terms: SurveyTerms) {}

  get keys(): number {
    return this.#keys;
  }

  get items(): number {
    return this.#items;
  }

  /** Whether the text keeps to the maximum depth, as far as it is read. */
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

  /** Where to go on from: after the field's value if that is known. */
  #readField(opening: number, closing: number): number {
    const colon = afterSpace(this.text, closing + 1);
    if (this.text.charCodeAt(colon) !== COLON) return closing;
    const start = afterSpace(this.text, colon + 1);
    let known: ParsedText | null = null;
    for (const search of this.terms.searches) known = search.meet(this.text, { opening, closing, start }) ?? known;
    if (known === null) return closing;
    this.#keys += known.keys;
    // The key of the field is one more, since its colon is passed over with the list.
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

/**
 * Reads a text in one pass without parsing it; it need not be valid JSON.
 * `JSON.parse` accepts any depth, but code that walks its result recursively does not.
 */
export function surveyJson(text: string, terms: SurveyTerms): JsonSurvey {
  const survey = new Survey(text, terms);
  if (!survey.run()) return { withinDepth: false };
  const { printsTheSame, keys, items, tokens } = survey;
  return { withinDepth: true, printsTheSame, keys, items, tokens };
}

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
