import type { JsonObject, JsonValue } from './json-text.js';
import { type JsonPiece, type JsonPieces, PieceJoiner } from './json-pieces.js';
import type { ItemPlace } from './survey.js';
import { type ParsedPart, TextPrinter, type WrittenTexts } from './written-texts.js';

/** Number of members after the expected one that are searched too: some members may not be forwarded. */
const MAX_AHEAD = 8;
/** Number of members before the expected one that are searched too: a member forwarded as several objects shifts the expectation too far. */
const MAX_BACK = 4;
/**
 * All members are searched after this many consecutive objects that were not found nearby. The number doubles with each search in vain, so that the
 * cost per object stays constant.
 */
const MISSES_BEFORE_ALL = 1;

/** The members of a list with their source texts. */
export class WrittenItems {
  /** `values` are the parsed members in the order of `places`; `cut` returns the text between two positions. */
  constructor(
    private readonly values: readonly unknown[],
    private readonly places: readonly ItemPlace[],
    private readonly cut: (from: number, to: number) => JsonPiece,
  ) {}

  get count(): number {
    return this.values.length;
  }

  /**
   * True if the member has exactly the content of a value with this number of keys. Members with more keys or with a duplicate key differ: another
   * parser might read them differently.
   */
  says(index: number, value: JsonValue, keys: number): boolean {
    return this.places[index]?.keys === keys && isFoundIn(this.values[index], value);
  }

  /** The member at a position; `null` between members. */
  partAt(position: number): ParsedPart | null {
    let [first, behind] = [0, this.count];
    while (first < behind) {
      const index = (first + behind) >> 1;
      const { start, end } = this.places[index] as ItemPlace;
      if (position < start) behind = index;
      else if (position >= end) first = index + 1;
      else return { start, end, value: this.values[index] };
    }
    return null;
  }

  endOf(index: number): number {
    return (this.places[index] as ItemPlace).end;
  }

  /** The text of consecutive members. */
  textOf({ first, last }: Run): JsonPiece {
    return this.cut((this.places[first] as ItemPlace).start, this.endOf(last));
  }
}

/** Consecutive members. */
interface Run {
  readonly first: number;
  readonly last: number;
}

/** Where to search for a value with this number of keys. */
interface Range {
  readonly written: WrittenItems;
  readonly keys: number;
  readonly from: number;
  readonly to: number;
}

/** Members to copy, or an object to print. */
type Part = { readonly run: Run } | { readonly item: JsonObject };

/** Prints lists of objects; unchanged members are copied, consecutive ones in one piece. */
export class ItemPrinter {
  /** Index of the member that is expected next. */
  #next = 0;
  #misses = 0;
  #missesBeforeAll = MISSES_BEFORE_ALL;

  constructor(private readonly written: WrittenItems | null, private readonly texts: TextPrinter) {}

  print(items: readonly JsonObject[]): JsonPieces {
    const { written, texts } = this;
    const joiner = new PieceJoiner();
    if (written === null) {
      texts.printTo(joiner, items);
      return joiner.joined();
    }
    joiner.add('[');
    for (const [place, part] of this.#partsOf(items, written).entries()) {
      if (place > 0) joiner.add(',');
      if ('run' in part) joiner.add(this.#copy(part.run, written));
      else texts.printTo(joiner, part.item);
    }
    joiner.add(']');
    return joiner.joined();
  }

  #partsOf(items: readonly JsonObject[], written: WrittenItems): readonly Part[] {
    const parts: Part[] = [];
    let run: Run | null = null;
    for (const item of items) {
      const index = this.#find(item, written);
      const isNext: boolean = run !== null && index === run.last + 1;
      if (run !== null && !isNext) parts.push({ run });
      if (index === null) parts.push({ item });
      run = index === null ? null : { first: isNext && run !== null ? run.first : index, last: index };
    }
    if (run !== null) parts.push({ run });
    return parts;
  }

  /** Copies members, whose strings the printer of texts then skips. */
  #copy(run: Run, written: WrittenItems): JsonPiece {
    this.texts.skipTo(written.endOf(run.last));
    return written.textOf(run);
  }

  /** Index of the original member with the same content; `null` if the object was changed. */
  #find(item: JsonObject, written: WrittenItems): number | null {
    const keys = countKeys(item);
    const near = this.#look(item, { keys, written, from: this.#next - MAX_BACK, to: this.#next + MAX_AHEAD });
    if (near !== null) return this.#found(near);
    this.#misses += 1;
    if (this.#misses === this.#missesBeforeAll) {
      this.#missesBeforeAll *= 2;
      const far = this.#look(item, { keys, written, from: 0, to: written.count });
      if (far !== null) return this.#found(far);
    }
    this.#next = Math.min(this.#next + 1, written.count);
    return null;
  }

  /** Searches from the expected member on, then before it. */
  #look(item: JsonObject, { keys, written, from, to }: Range): number | null {
    const end = Math.min(to, written.count);
    for (let index = this.#next; index < end; index += 1) if (written.says(index, item, keys)) return index;
    for (let index = Math.max(from, 0); index < this.#next; index += 1) if (written.says(index, item, keys)) return index;
    return null;
  }

  #found(index: number): number {
    this.#next = index + 1;
    this.#misses = 0;
    this.#missesBeforeAll = MISSES_BEFORE_ALL;
    return index;
  }
}

/** Counts the keys of all nested objects that are printed; those with `undefined` are not. */
function countKeys(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? countInList(value as readonly JsonValue[]) : countInObject(value as JsonObject);
}

function countInList(list: readonly JsonValue[]): number {
  let keys = 0;
  for (const member of list) keys += countKeys(member);
  return keys;
}

function countInObject(object: JsonObject): number {
  let keys = 0;
  for (const name in object) if (object[name] !== undefined) keys += 1 + countKeys(object[name]);
  return keys;
}

/** True if the parsed value contains the printed one. Lists must be equal; objects may have further keys, in any order. */
function isFoundIn(parsed: unknown, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return parsed === value;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) !== Array.isArray(value)) return false;
  return Array.isArray(value) ? isListFoundIn(parsed as readonly unknown[], value) : isObjectFoundIn(parsed as JsonObject, value as JsonObject);
}

function isListFoundIn(parsed: readonly unknown[], value: readonly JsonValue[]): boolean {
  if (parsed.length !== value.length) return false;
  for (const [index, member] of value.entries()) if (!isFoundIn(parsed[index], member)) return false;
  return true;
}

function isObjectFoundIn(parsed: JsonObject, value: JsonObject): boolean {
  for (const name in value) {
    const member = value[name];
    if (member !== undefined && !isMemberFoundIn(parsed, name, member)) return false;
  }
  return true;
}

/** True if an object contains the member itself: an inherited member is an object or a function, so only those need a test. */
function isMemberFoundIn(parsed: JsonObject, name: string, member: JsonValue): boolean {
  if (typeof member !== 'object' || member === null) return parsed[name] === member;
  return Object.hasOwn(parsed, name) && isFoundIn(parsed[name], member);
}

/** Parts of a source text that a printer can copy. */
export interface Writing {
  readonly texts: WrittenTexts | null;
  /** Members of the list that makes up most of the text; `null` if there is none. */
  readonly items: WrittenItems | null;
  /** Returns the text of the list in the parser's `writtenList` field; `null` if there is none. */
  readonly list: (() => Uint8Array) | null;
}

const NOTHING: Writing = { texts: null, items: null, list: null };

/**
 * Source of one text. The first printer takes over its contents, so that they do not stay in memory until the reply: they need as much memory as the
 * text, and the upstream may take minutes.
 */
export class JsonSource {
  readonly language = 'json';
  #writing: Writing;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** Returns the text of the list in the parser's `writtenList` field; `null` if there is none, or after `take`. */
  cutList(): Uint8Array | null {
    return this.#writing.list?.() ?? null;
  }

  /** Transfers ownership: later calls return an empty writing. */
  take(): Writing {
    const writing = this.#writing;
    this.#writing = NOTHING;
    return writing;
  }
}

/** A `JsonSource` as the domain passes it on, without knowing its content. */
export interface OpaqueSource {
  readonly language: 'json';
}

/** Prints parts of a value; copies those that are unchanged. */
export interface SourcePrinter {
  readonly texts: TextPrinter;
  readonly items: ItemPrinter;
}

/** The list in the parser's `writtenList` field, in UTF-8; `null` if the source does not have it. */
export function writtenListOf(source: OpaqueSource | null): Uint8Array | null {
  return source instanceof JsonSource ? source.cutList() : null;
}

/** The first printer of a source copies unchanged parts from it; any later one prints every value. */
export function printerFor(source: OpaqueSource | null): SourcePrinter {
  const { texts: written, items } = source instanceof JsonSource ? source.take() : NOTHING;
  const texts = new TextPrinter(written);
  return { texts, items: new ItemPrinter(items, texts) };
}
