import type { JsonObject, JsonValue } from './json-text.js';
import { type JsonPiece, type JsonPieces, PieceJoiner } from './json-pieces.js';
import type { ItemPlace } from './survey.js';
import { type ParsedPart, TextPrinter, type WrittenTexts } from './written-texts.js';

/** Members of a written list that are looked at for one that is printed, from where it is expected: some may not be sent on. */
const MAX_AHEAD = 8;
/** And before that place: some may be sent on as more than one. */
const MAX_BACK = 4;
/** Full scans back off exponentially, so the cost per item stays constant. */
const MISSES_BEFORE_ALL = 1;

/** How the members of a list were written. */
export class WrittenItems {
  /** `values` are what the members were parsed to, each beside its place; `cut` gives the text from one position to another. */
  constructor(
    private readonly values: readonly unknown[],
    private readonly places: readonly ItemPlace[],
    private readonly cut: (from: number, to: number) => JsonPiece,
  ) {}

  get count(): number {
    return this.values.length;
  }

  /**
   * Whether a member says what a value of so many keys says, and nothing else, which would be written with more of them. So would a key
   * that is there twice, of which another parser might take the other value.
   */
  says(index: number, value: JsonValue, keys: number): boolean {
    return this.places[index]?.keys === keys && isFoundIn(this.values[index], value);
  }

  /** The member that a position is in; `null` where it is in none. */
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

  /** Where a member ends. */
  endOf(index: number): number {
    return (this.places[index] as ItemPlace).end;
  }

  /** The text of members that follow each other, from the first to the last. */
  textOf({ first, last }: Run): JsonPiece {
    return this.cut((this.places[first] as ItemPlace).start, this.endOf(last));
  }
}

/** Written members that follow each other. */
interface Run {
  readonly first: number;
  readonly last: number;
}

/** Where to look for a value of so many keys. */
interface Range {
  readonly written: WrittenItems;
  readonly keys: number;
  readonly from: number;
  readonly to: number;
}

/** What is printed next: written members, or an object that is none of them. */
type Part = { readonly run: Run } | { readonly item: JsonObject };

/** Prints lists of objects: those that are written already as they were, in one piece where they follow each other. */
export class ItemPrinter {
  /** Where the member is expected that the next object was made of. */
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

  /** The texts in what is copied need no looking for, but those behind them do. */
  #copy(run: Run, written: WrittenItems): JsonPiece {
    this.texts.skipTo(written.endOf(run.last));
    return written.textOf(run);
  }

  /** The member that says what an object says; where none does, the object was made of the one that was expected, most likely. */
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

  /** The first from where it is expected, else the first before that. */
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

/** How many keys a value would be printed with, in all its objects together; those whose value is `undefined` are not printed. */
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

/**
 * Whether all that is printed of a value is found in a parsed one. Lists have to be the same; objects may have more keys where they were
 * parsed, and in any order.
 */
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
    if (member !== undefined && (!Object.hasOwn(parsed, name) || !isFoundIn(parsed[name], member))) return false;
  }
  return true;
}

/** How a JSON text was written, as far as a printer can copy it. */
export interface Writing {
  readonly texts: WrittenTexts | null;
  /** The members of the list that makes up most of the text; `null` where it has none. */
  readonly items: WrittenItems | null;
  /** Cuts out the list in the parser's written field; `null` where the text has none. */
  readonly list: (() => Uint8Array) | null;
}

const NOTHING: Writing = { texts: null, items: null, list: null };

/** The writing of one text, for one printer: it takes as much memory as the text, and a request may wait for minutes once it is sent. */
export class JsonSource {
  readonly language = 'json';
  #writing: Writing;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** Cuts out the list in the parser's written field; `null` where the text has none, or once the writing is taken. */
  cutList(): Uint8Array | null {
    return this.#writing.list?.() ?? null;
  }

  /** Gives the writing away: later calls give nothing to copy. */
  take(): Writing {
    const writing = this.#writing;
    this.#writing = NOTHING;
    return writing;
  }
}

/** A source as the domain passes it on, without knowing what is in it. */
export interface OpaqueSource {
  readonly language: 'json';
}

/** Prints the parts of one value: those that its source holds unchanged are copied. */
export interface SourcePrinter {
  readonly texts: TextPrinter;
  readonly items: ItemPrinter;
}

/** The list in the parser's written field as it was written, in UTF-8; `null` where the source does not have it. */
export function writtenListOf(source: OpaqueSource | null): Uint8Array | null {
  return source instanceof JsonSource ? source.cutList() : null;
}

/** Takes the source's writing, so that a second printer for it prints everything. */
export function printerFor(source: OpaqueSource | null): SourcePrinter {
  const { texts: written, items } = source instanceof JsonSource ? source.take() : NOTHING;
  const texts = new TextPrinter(written);
  return { texts, items: new ItemPrinter(items, texts) };
}
