import type { FieldSearch, ItemPlaces, ParsedText } from './field-search.js';
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
  readonly items: ItemPlaces | null;
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
    if (this.#depth === ITEM_DEPTH) this.terms.items?.beginsAt(at, this.#keys);
  }

  #isEmpty(opening: number): boolean {
    const code = this.text.charCodeAt(afterSpace(this.text, opening + 1));
    return code === CLOSE_BRACE || code === CLOSE_BRACKET;
  }

  #close(at: number): void {
    if (this.#depth === ITEM_DEPTH) this.terms.items?.endsAt(at + 1, this.#keys);
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
