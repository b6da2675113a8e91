import {
  afterSpace, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, endOfNumber, endOfString, isDigit, isKeyThatMoves, isPrintedAsWritten, MINUS, OPEN_BRACE,
  OPEN_BRACKET, QUOTE, SPACE,
} from './tokens.js';

/** Receives the positions of strings' quotes, in order. */
export interface StringNotes {
  note(opening: number, closing: number): void;
}

export interface SurveyTerms {
  /** Maximum depth of nested arrays and objects. */
  readonly maximumDepth: number;
  /** Maximum number of strings, numbers, arrays and objects; the survey stops beyond it. */
  readonly maximumTokens: number;
  /** Numbers and keys are checked from this depth on; the request decoder checks those above. */
  readonly watchedDepth: number;
  /** Searches for lists in top-level fields. The survey skips a list that a search recalls from its cache. */
  readonly searches: readonly FieldSearch[];
  /** Called for each string, except in lists that come from a cache. */
  readonly texts: StringNotes | null;
}

export type JsonSurvey =
  | { readonly withinDepth: false }
  | {
    readonly withinDepth: true;
    /** True if parsing and printing would change no number and no key order. */
    readonly printsTheSame: boolean;
    /** Keys of all objects, also in lists that come from a cache. The number is arbitrary for invalid text, and if the survey stopped at `maximumTokens`. */
    readonly keys: number;
    readonly items: number;
    /** Number of strings, numbers, arrays and objects, except in lists that come from a cache. */
    readonly tokens: number;
  };

/** Depth of top-level fields. */
const FIELD_DEPTH = 1;
/** Depth of the members of a list in a top-level field. */
const ITEM_DEPTH = FIELD_DEPTH + 2;

class Survey {
  printsTheSame = true;
  tokens = 0;
  keys = 0;
  #depth = 0;
  /** Number of keys and items: every comma begins one, and so does every non-empty list or object. */
  #begun = 0;
  /** The search whose list is being read. */
  #search: FieldSearch | null = null;

  constructor(private readonly text: string, private readonly terms: SurveyTerms) {}

  get items(): number {
    return this.#begun - this.keys;
  }

  /** Reads the text. Returns false if it is too deep. */
  run(): boolean {
    const { text, terms: { maximumDepth, maximumTokens } } = this;
    let before = SPACE;
    for (let at = 0; at < text.length && this.#depth <= maximumDepth && this.tokens <= maximumTokens; at += 1) {
      const code = text.charCodeAt(at);
      if (code <= SPACE) continue;
      if (code === QUOTE) at = this.#readString(at);
      else if (code === COLON) this.keys += 1;
      else if (code === COMMA) this.#begun += 1;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#open(at);
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#close(at, before);
      else if (isDigit(code) || code === MINUS) at = this.#readNumber(at);
      before = code;
    }
    return this.#depth <= maximumDepth;
  }

  get #isWatching(): boolean {
    return this.printsTheSame && this.#depth >= this.terms.watchedDepth;
  }

  #open(at: number): void {
    this.#depth += 1;
    this.tokens += 1;
    this.#begun += 1;
    if (this.#depth === ITEM_DEPTH) this.#search?.memberBeginsAt(at, this.keys);
  }

  /** `before` is the previous character that is not whitespace. It shows an empty list or object, in which no key or item begins. */
  #close(at: number, before: number): void {
    if (before === OPEN_BRACE || before === OPEN_BRACKET) this.#begun -= 1;
    if (this.#depth === ITEM_DEPTH) this.#search?.memberEndsAt(at + 1, this.keys);
    this.#depth -= 1;
    if (this.#depth !== FIELD_DEPTH) return;
    this.#search?.endsAt(at + 1);
    this.#search = null;
  }

  #readString(opening: number): number {
    const closing = endOfString(this.text, opening);
    this.tokens += 1;
    if (this.#isWatching && isKeyThatMoves(this.text, opening, closing)) this.printsTheSame = false;
    const { searches, texts } = this.terms;
    if (texts !== null) texts.note(opening, closing);
    return searches.length === 0 || this.#depth !== FIELD_DEPTH ? closing : this.#readField(opening, closing);
  }

  /** Reads a top-level field. Returns the position to continue from, which is after a recalled value. */
  #readField(opening: number, closing: number): number {
    const colon = afterSpace(this.text, closing + 1);
    if (this.text.charCodeAt(colon) !== COLON) return closing;
    const start = afterSpace(this.text, colon + 1);
    const key = this.text.slice(opening, closing + 1);
    for (const search of this.terms.searches) if (search.meet(key, this.text, start)) this.#search = search;
    return this.#search === null || this.#search.known === null ? closing : this.#skip(this.#search.known, start);
  }

  #skip(known: ParsedText, start: number): number {
    this.#search = null;
    // 1 for the field's own key: keys are counted at their colon, which is skipped with the list.
    this.keys += known.keys + 1;
    this.#begun += known.keys + known.items;
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
 * Examines a text in one pass without parsing; the text may be invalid. `JSON.parse` accepts any depth, but recursive code on its result does not.
 */
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
  /** Items of all lists within the list, including itself. */
  readonly items: number;
}

/** A list in the text; `known` is its cached form, or `null`. */
export interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly known: ParsedText | null;
}

/** Position of a list's member, and the number of keys within. */
export interface ItemPlace {
  readonly start: number;
  readonly end: number;
  readonly keys: number;
}

interface FieldTerms {
  /** Returns the cached list at a position, or `null`. Default: no list is cached. */
  readonly recall?: (text: string, start: number) => ParsedText | null;
  /** Maximum members whose positions are recorded; default 0. */
  readonly maximumPlaces?: number;
}

/** Finds the list in one top-level field during a survey, and the objects and lists in it. */
export class FieldSearch {
  readonly #key: string;
  readonly #recall: FieldTerms['recall'];
  readonly #maximumPlaces: number;
  #start = -1;
  #end = -1;
  #known: ParsedText | null = null;
  #ambiguous = false;
  readonly #places: ItemPlace[] = [];
  #memberStart = -1;
  #keysBefore = 0;

  constructor(name: string, { recall, maximumPlaces = 0 }: FieldTerms) {
    this.#key = `"${name}"`;
    this.#recall = recall;
    this.#maximumPlaces = maximumPlaces;
  }

  /** Called for each top-level key, with the position of its value. Returns true if the value is the list, which begins here. */
  meet(key: string, text: string, start: number): boolean {
    // An escaped name may be any name, and the last value of a repeated name counts.
    if (key.includes('\\') || (key === this.#key && this.#start >= 0)) this.#ambiguous = true;
    if (key !== this.#key || this.#ambiguous || text.charCodeAt(start) !== OPEN_BRACKET) return false;
    this.#start = start;
    this.#known = this.#recall?.(text, start) ?? null;
    if (this.#known !== null) this.#end = start + this.#known.text.length;
    return true;
  }

  /** The cached form of the list; `null` if it is not cached. */
  get known(): ParsedText | null {
    return this.#known;
  }

  /** Called where the list ends, unless it is cached. */
  endsAt(end: number): void {
    this.#end = end;
  }

  /** Called where a member begins, with the number of keys before it. */
  memberBeginsAt(start: number, keysBefore: number): void {
    this.#memberStart = this.#places.length < this.#maximumPlaces ? start : -1;
    this.#keysBefore = keysBefore;
  }

  memberEndsAt(end: number, keysBefore: number): void {
    if (this.#memberStart >= 0) this.#places.push({ start: this.#memberStart, end, keys: keysBefore - this.#keysBefore });
  }

  /** The list that was found; `null` if there is none, or if the field may occur twice. */
  get found(): FoundList | null {
    return this.#ambiguous || this.#end < 0 ? null : { start: this.#start, end: this.#end, known: this.#known };
  }

  /** Positions of the members in order; `null` unless there is exactly one list and all its members are recorded. */
  placesOf(members: number): readonly ItemPlace[] | null {
    return this.found !== null && this.#places.length === members ? this.#places : null;
  }
}
