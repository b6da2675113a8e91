import { isUtf8 } from 'node:buffer';
import type { JsonPiece } from './json-pieces.js';
import { parseExactly } from './written-object.js';
import { UTF8 } from './print.js';
import { mayEscapeSurrogates, withWellFormedEscapes } from './well-formed-escapes.js';
import { ListCache, MIN_CACHED_CHARACTERS } from './list-cache.js';
import { FieldSearch, type FoundList, surveyJson } from './survey.js';
import { JsonSource, type Writing, WrittenItems } from './written-items.js';
import { WrittenTexts } from './written-texts.js';

export interface ParserTerms {
  readonly maximumDepth: number;
  /** Maximum keys of all objects. Like items of lists, they are bounded because a value takes many times the memory of its text. */
  readonly maximumKeys: number;
  readonly maximumItems: number;
  /** Fields whose objects keep their text if printing would change it. */
  readonly exactFields: ReadonlySet<string>;
  /** Depth of the outermost objects that keep their text; if printing would change only what is above it, no object keeps its text. */
  readonly exactDepth: number;
  /** The list that makes up most of the text; its members may be copied if there are at most `maximumMembers`. */
  readonly copiedList: ListTerms;
  /** The name of a list that recurs in consecutive texts, and is parsed once. */
  readonly cachedField: string;
  /** A list whose text the source provides; with at most `maximumMembers` members, its long strings are copied without being parsed again. */
  readonly writtenList: ListTerms;
}

interface ListTerms {
  readonly field: string;
  readonly maximumMembers: number;
}

export interface ParsedJson {
  readonly value: unknown;
  /** The text to copy from; `null` if printing the value is as fast as copying. */
  readonly source: JsonSource | null;
}

export type JsonProblem = 'empty' | 'not-utf8' | 'malformed' | 'too-deep' | 'too-many-keys' | 'too-many-items' | 'too-many-tokens';

export class JsonRefusal extends Error {
  constructor(readonly problem: JsonProblem, options?: ErrorOptions) {
    super(`The JSON text is refused: ${problem}.`, options);
  }
}

const BYTE_ORDER_MARK = 0xfeff;
/** Replaces a cached list in the text. It is a list as well, so that it is valid in the same places. */
const STAND_IN = '[]';
/** A cached list is left out of the parsed text only if the rest of the text, which is copied for this, is at most this many times as long. */
const MAX_REST = 10;

interface Searches {
  readonly cached: FieldSearch;
  readonly copied: FieldSearch;
  readonly written: FieldSearch;
}

/** Parses JSON texts that have the same terms, within bounds, and records their source texts. */
export class JsonParser {
  readonly #lists = new ListCache();
  /** A valid text within the bounds on keys and items has at most this many tokens. */
  readonly #maximumTokens: number;

  constructor(private readonly terms: ParserTerms) {
    this.#maximumTokens = 2 * terms.maximumKeys + terms.maximumItems + 1;
  }

  /** Throws `JsonRefusal`. The value of the cached field may be a frozen list, which other results share. */
  parse(utf8: Uint8Array): ParsedJson {
    if (utf8.byteLength === 0) throw new JsonRefusal('empty');
    if (!isUtf8(utf8)) throw new JsonRefusal('not-utf8');
    const received = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength);
    const text = textOf(received);
    const bytes = mayEscapeSurrogates(text) ? withWellFormedEscapes(received) : received;
    return this.#parseText(bytes === received ? text : textOf(bytes), bytes);
  }

  /** Parses a text; `bytes` are its UTF-8. */
  #parseText(text: string, bytes: Buffer): ParsedJson {
    if (text.length >= MIN_CACHED_CHARACTERS) return this.#parseWithSource(text, bytes);
    return { value: this.#parseSurveyed(text, this.#printsTheSame(text, [], null) ? null : 'exactly'), source: null };
  }

  #parseWithSource(text: string, bytes: Buffer): ParsedJson {
    const { cached, copied, written } = this.#searches();
    const cutter = cutterOf(text, bytes);
    const texts = new WrittenTexts(cutter.piece);
    const value = this.#parseSurveyed(text, this.#printsTheSame(text, [cached, copied, written], texts) ? cached.found : 'exactly');
    const items = writtenItems(membersIn(value, this.terms.copiedList), copied, cutter);
    const parts = items ?? writtenItems(membersIn(value, this.terms.writtenList), written, cutter);
    if (parts !== null) texts.parsedIn((position) => parts.partAt(position));
    const list = listAsWritten(written, cutter);
    return { value, source: texts.count > 0 || items !== null || list !== null ? new JsonSource({ texts, items, list }) : null };
  }

  #searches(): Searches {
    const { cachedField, copiedList, writtenList } = this.terms;
    return {
      cached: new FieldSearch(cachedField, { recall: (where, start) => this.#lists.recall(where, start) }),
      copied: new FieldSearch(copiedList.field, { maximumPlaces: copiedList.maximumMembers }),
      written: new FieldSearch(writtenList.field, { maximumPlaces: writtenList.maximumMembers }),
    };
  }

  /** True if printing the value changes no number and no key order. Throws for a text that is too deep or too large. */
  #printsTheSame(text: string, searches: readonly FieldSearch[], texts: WrittenTexts | null): boolean {
    const survey = surveyJson(text, {
      maximumDepth: this.terms.maximumDepth, maximumTokens: this.#maximumTokens, watchedDepth: this.terms.exactDepth, searches, texts,
    });
    if (!survey.withinDepth) throw new JsonRefusal('too-deep');
    if (survey.keys > this.terms.maximumKeys) throw new JsonRefusal('too-many-keys');
    if (survey.tokens > this.#maximumTokens) throw new JsonRefusal('too-many-tokens');
    if (survey.items > this.terms.maximumItems) throw new JsonRefusal('too-many-items');
    return survey.printsTheSame;
  }

  #parseSurveyed(text: string, list: FoundList | 'exactly' | null): unknown {
    try {
      if (list === 'exactly') return parseExactly(text, this.terms.exactFields);
      return list === null ? JSON.parse(text) : this.#parseWithList(text, list);
    } catch (cause) {
      throw new JsonRefusal('malformed', { cause });
    }
  }

  /**
   * Parses the text. If the list is cached, its value is taken from the cache, and the list is left out of the parsed text if that is worth copying
   * the rest. A list that is not cached yet is noted.
   */
  #parseWithList(text: string, { start, end, known }: FoundList): unknown {
    const { cachedField } = this.terms;
    const isLeftOut = known !== null && text.length <= (end - start) * (MAX_REST + 1);
    const parsed = JSON.parse(isLeftOut ? `${text.slice(0, start)}${STAND_IN}${text.slice(end)}` : text) as Record<string, unknown>;
    if (known === null) this.#lists.note(text.slice(start, end), parsed[cachedField]);
    else parsed[cachedField] = known.value;
    return parsed;
  }
}

function membersIn(value: unknown, { field }: ListTerms): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[field] : null;
}

/** The members with their positions; `null` unless all members are objects or lists. */
function writtenItems(values: unknown, search: FieldSearch, { piece }: Cutter): WrittenItems | null {
  const places = Array.isArray(values) ? search.placesOf(values.length) : null;
  return places === null ? null : new WrittenItems(values as readonly unknown[], places, piece);
}

function listAsWritten({ found }: FieldSearch, { lasting }: Cutter): Writing['list'] {
  return found === null ? null : () => lasting(found.start, found.end);
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

interface Cutter {
  /** Returns a piece that keeps the whole text in memory. */
  readonly piece: (from: number, to: number) => JsonPiece;
  /** Returns UTF-8 that keeps at most twice its own size in memory. */
  readonly lasting: (from: number, to: number) => Uint8Array;
}

/** Cuts pieces of a text. Cuts bytes if it is ASCII, so that the source does not keep the string too. */
function cutterOf(text: string, bytes: Buffer): Cutter {
  if (text.length === bytes.length) return cutterOfAscii(bytes);
  const cut = (from: number, to: number): string => text.slice(from, to);
  return { piece: cut, lasting: (from, to) => UTF8.encode(cut(from, to)) };
}

function cutterOfAscii(bytes: Buffer): Cutter {
  const piece = (from: number, to: number): Uint8Array => bytes.subarray(from, to);
  return { piece, lasting: (from, to) => (2 * (to - from) >= bytes.buffer.byteLength ? piece(from, to) : new Uint8Array(piece(from, to))) };
}
