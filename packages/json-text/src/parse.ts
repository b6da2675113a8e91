import { isUtf8 } from 'node:buffer';
import type { JsonPiece } from './json-pieces.js';
import { parseExactly } from './written-object.js';
import { UTF8 } from './print.js';
import { withWellFormedEscapes } from './well-formed-escapes.js';
import { ListCache, MIN_CACHED_CHARACTERS } from './list-cache.js';
import { FieldSearch, type FoundList, ItemPlaces, type JsonSurvey, surveyJson } from './survey.js';
import { JsonSource, type Writing, WrittenItems } from './written-items.js';
import { WrittenTexts } from './written-texts.js';

/** What a parser accepts, and which fields of the outermost object it treats in a special way. */
export interface ParserTerms {
  readonly maximumDepth: number;
  /** Of all objects together, and of all lists together: a value takes many times the memory of its text. */
  readonly maximumKeys: number;
  readonly maximumItems: number;
  /** Objects in fields of these names keep their text where printing would change it. */
  readonly exactFields: ReadonlySet<string>;
  /** No such object begins above this depth. */
  readonly exactDepth: number;
  /** The field that holds most of a text: a list whose members may be copied, up to so many. */
  readonly copiedList: ListTerms;
  /** The field whose list recurs in one text after the other; it is parsed once. */
  readonly cachedField: string;
  /** The field whose list the source gives as it was written; of up to so many members, long texts are copied. */
  readonly writtenList: ListTerms;
}

interface ListTerms {
  readonly field: string;
  readonly maximumMembers: number;
}

export interface ParsedJson {
  readonly value: unknown;
  /** How the text was written; `null` for a text that is printed as fast as it is copied. */
  readonly source: JsonSource | null;
}

export type JsonProblem = 'empty' | 'not-utf8' | 'malformed' | 'too-deep' | 'too-many-keys' | 'too-many-items' | 'too-many-tokens';

/** Why a text is not parsed. */
export class JsonRefusal extends Error {
  constructor(readonly problem: JsonProblem, options?: ErrorOptions) {
    super(`The JSON text is refused: ${problem}.`, options);
  }
}

const BYTE_ORDER_MARK = 0xfeff;
/** Stands in the text for a cached list; being a list itself, it may be followed by just what the other may be followed by. */
const STAND_IN = '[]';
/** Leaving a list out takes a copy of the rest, which is worth it where the rest is at most this many times as long. */
const MAX_REST = 10;

/** What is looked for in a text. */
interface Searches {
  readonly cached: FieldSearch;
  readonly copied: FieldSearch;
  readonly written: FieldSearch;
  readonly items: ItemPlaces;
  readonly writtenItems: ItemPlaces;
}

/** Parses JSON texts of one kind, within bounds, and tells how they were written. */
export class JsonParser {
  readonly #lists = new ListCache();
  /** A sound text within its bounds has no more: each key with its value, each item, and the outermost value. */
  readonly #maximumTokens: number;

  constructor(private readonly terms: ParserTerms) {
    this.#maximumTokens = 2 * terms.maximumKeys + terms.maximumItems + 1;
  }

  /** Throws `JsonRefusal`. The list in the cached field may be the same frozen value as before. */
  parse(utf8: Uint8Array): ParsedJson {
    if (utf8.byteLength === 0) throw new JsonRefusal('empty');
    if (!isUtf8(utf8)) throw new JsonRefusal('not-utf8');
    const bytes = withWellFormedEscapes(Buffer.from(utf8.buffer, utf8.byteOffset, utf8.byteLength));
    const text = textOf(bytes);
    const searches = this.#searchesIn(text);
    const cutter = cutterOf(text, bytes);
    const texts = new WrittenTexts(cutter.piece);
    const survey = surveyJson(text, {
      maximumDepth: this.terms.maximumDepth,
      maximumTokens: this.#maximumTokens,
      watchedDepth: this.terms.exactDepth,
      searches: searches === null ? [] : [searches.cached, searches.copied, searches.written],
      items: searches === null ? [] : [searches.items, searches.writtenItems],
      texts,
    });
    const value = this.#parseSurveyed(text, this.#printsTheSame(survey) ? searches?.cached.found ?? null : 'exactly');
    if (searches === null) return { value, source: null };
    const items = writtenItems(value, this.terms.copiedList, { places: searches.items, cutter });
    const parts = items ?? writtenItems(value, this.terms.writtenList, { places: searches.writtenItems, cutter });
    if (parts !== null) texts.parsedIn((position) => parts.partAt(position));
    const list = listAsWritten(searches.written, cutter);
    return { value, source: texts.count > 0 || items !== null || list !== null ? new JsonSource({ texts, items, list }) : null };
  }

  #searchesIn(text: string): Searches | null {
    if (text.length < MIN_CACHED_CHARACTERS) return null;
    const { cachedField, copiedList, writtenList } = this.terms;
    const cached = new FieldSearch(cachedField, (where, start) => this.#lists.recall(where, start));
    const copied = new FieldSearch(copiedList.field, () => null);
    const written = new FieldSearch(writtenList.field, () => null);
    return {
      cached, copied, written, items: new ItemPlaces(copied, copiedList.maximumMembers), writtenItems: new ItemPlaces(written, writtenList.maximumMembers),
    };
  }

  /** Whether printing changes nothing that counts. Throws for a text whose value would be too deep or take too much memory. */
  #printsTheSame(survey: JsonSurvey): boolean {
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

  /** Parses a text without its list in the cached field, if that is known and long enough. */
  #parseWithList(text: string, { start, end, known }: FoundList): unknown {
    const { cachedField } = this.terms;
    const isLeftOut = known !== null && text.length <= (end - start) * (MAX_REST + 1);
    const parsed = JSON.parse(isLeftOut ? `${text.slice(0, start)}${STAND_IN}${text.slice(end)}` : text) as Record<string, unknown>;
    if (known === null) this.#lists.note(text.slice(start, end), parsed[cachedField]);
    else parsed[cachedField] = known.value;
    return parsed;
  }
}

/** How the members of a list were written, where all of them are objects or lists. */
function writtenItems(value: unknown, { field }: ListTerms, { places: found, cutter }: { readonly places: ItemPlaces; readonly cutter: Cutter }): WrittenItems | null {
  const values: unknown = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[field] : null;
  const places = Array.isArray(values) ? found.placesOf(values.length) : null;
  return places === null ? null : new WrittenItems(values as readonly unknown[], places, cutter.piece);
}

function listAsWritten({ found }: FieldSearch, { lasting }: Cutter): Writing['list'] {
  return found === null ? null : () => lasting(found.start, found.end);
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** Cuts pieces out of a text. */
interface Cutter {
  /** Keeps the whole text in memory. */
  readonly piece: (from: number, to: number) => JsonPiece;
  /** In UTF-8, and may be kept for long: no more than twice its own bytes stay in memory with it. */
  readonly lasting: (from: number, to: number) => Uint8Array;
}

/** A text of ASCII is cut out of its bytes, so that the source need not hold the text as well. */
function cutterOf(text: string, bytes: Buffer): Cutter {
  if (text.length === bytes.length) return cutterOfAscii(bytes);
  const cut = (from: number, to: number): string => text.slice(from, to);
  return { piece: cut, lasting: (from, to) => UTF8.encode(cut(from, to)) };
}

function cutterOfAscii(bytes: Buffer): Cutter {
  const piece = (from: number, to: number): Uint8Array => bytes.subarray(from, to);
  return { piece, lasting: (from, to) => (2 * (to - from) >= bytes.buffer.byteLength ? piece(from, to) : new Uint8Array(piece(from, to))) };
}
