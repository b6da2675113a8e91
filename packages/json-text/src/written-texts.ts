import type { JsonObject, JsonValue } from './json-text.js';
import type { JsonPiece, PieceJoiner } from './json-pieces.js';
import { WrittenObject } from './written-object.js';
import type { StringNotes } from './survey.js';

/** Minimum length of a string that is copied from the source text: finding a shorter one's literal takes as long as serializing it. */
const MIN_CHARACTERS = 512;
/** Maximum ratio of a literal's length to its string's; a string with more escapes is serialized instead of copied. */
const MAX_CHARACTERS_PER_CHARACTER = 2;
/** Maximum number of literals compared with one string: literals of fields that are not forwarded match none. */
const MAX_CANDIDATES = 8;

/** Part of a text, with its parsed value. */
export interface ParsedPart {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
}

/** Positions of the long strings in a JSON text, so that a printer can copy their literals. */
export class WrittenTexts implements StringNotes {
  /** Positions of the quotes: opening and closing ones alternate. */
  readonly #quotes: number[] = [];
  readonly #values: (string | null | undefined)[] = [];
  /** The parsed part at a position; `null` if it is in none. */
  #partAt: (position: number) => ParsedPart | null = () => null;

  /** `cut` returns the text between two positions, at printing time. */
  constructor(private readonly cut: (from: number, to: number) => JsonPiece) {}

  /**
   * Gives access to parts that are parsed already. The string of a literal is taken from its part instead of being parsed again, if the part has no
   * other long literal.
   */
  parsedIn(partAt: (position: number) => ParsedPart | null): void {
    this.#partAt = partAt;
  }

  /** Called for each string, in order. */
  note(opening: number, closing: number): void {
    if (closing - opening > MIN_CHARACTERS) this.#quotes.push(opening, closing);
  }

  get count(): number {
    return this.#quotes.length / 2;
  }

  /** Length of a literal without its quotes. Indexes beyond the last literal begin again at the first. */
  lengthOf(index: number): number {
    return this.#closingOf(index) - this.startOf(index) - 1;
  }

  startOf(index: number): number {
    return this.#quotes[(index % this.count) * 2] as number;
  }

  /** The literal with its quotes; takes time proportional to its length. */
  literal(index: number): JsonPiece {
    return this.cut(this.startOf(index), this.#closingOf(index) + 1);
  }

  /** The string of a literal; `null` if it is not known without parsing the literal. */
  valueOf(index: number): string | null {
    const place = index % this.count;
    const known = this.#values[place];
    if (known !== undefined) return known;
    const value = this.#lookUp(place);
    this.#values[place] = value;
    return value;
  }

  /** Takes the string from its part's value, if the part has only one long literal. */
  #lookUp(place: number): string | null {
    const part = this.#partAt(this.startOf(place));
    if (part === null || this.#isIn(part, this.#quotes[place * 2 - 2]) || this.#isIn(part, this.#quotes[place * 2 + 2])) return null;
    return longTextIn(part.value);
  }

  #isIn({ start, end }: ParsedPart, position: number | undefined): boolean {
    return position !== undefined && position >= start && position < end;
  }

  #closingOf(index: number): number {
    return this.#quotes[(index % this.count) * 2 + 1] as number;
  }
}

/** The first long string in a value; `null` if there is none. */
function longTextIn(value: unknown): string | null {
  if (typeof value === 'string') return value.length >= MIN_CHARACTERS ? value : null;
  if (typeof value !== 'object' || value === null) return null;
  // The object's `text` is JSON, not a string of the source.
  if (value instanceof WrittenObject) return longTextIn(value.value);
  for (const name in value) {
    const text = longTextIn((value as JsonObject)[name]);
    if (text !== null) return text;
  }
  return null;
}

/** Prints strings; long ones are copied from the source if they appear in about the same order. */
export class TextPrinter {
  #next = 0;

  constructor(private readonly written: WrittenTexts | null) {}

  print(text: string): string {
    const piece = this.#pieceOf(text);
    return typeof piece === 'string' ? piece : textOfAscii(piece);
  }

  #pieceOf(text: string): JsonPiece {
    if (text.length < MIN_CHARACTERS || this.written === null) return JSON.stringify(text);
    const end = this.#next + Math.min(MAX_CANDIDATES, this.written.count);
    for (let index = this.#next; index < end; index += 1) {
      const literal = mayRead(this.written.lengthOf(index), text) ? literalOf(text, index, this.written) : null;
      if (literal === null) continue;
      this.#next = index + 1;
      return literal;
    }
    return JSON.stringify(text);
  }

  /** Continues the search at the first literal from this position on. */
  skipTo(position: number): void {
    const { written } = this;
    if (written === null) return;
    while (this.#next < written.count && written.startOf(this.#next) < position) this.#next += 1;
  }

  /** Prints a value; its strings are copied where possible, as by `print`. */
  printTo(joiner: PieceJoiner, value: JsonValue): void {
    if (typeof value === 'string') joiner.add(this.#pieceOf(value));
    else if (this.written === null || typeof value !== 'object' || value === null) joiner.add(JSON.stringify(value));
    else if (Array.isArray(value)) this.#printList(joiner, value as readonly JsonValue[]);
    else this.#printObject(joiner, value as JsonObject);
  }

  #printList(joiner: PieceJoiner, list: readonly JsonValue[]): void {
    for (const [index, member] of list.entries()) {
      joiner.add(index === 0 ? '[' : ',');
      this.printTo(joiner, member);
    }
    joiner.add(list.length === 0 ? '[]' : ']');
  }

  #printObject(joiner: PieceJoiner, object: JsonObject): void {
    let before = '{';
    for (const name in object) {
      const member = object[name];
      if (member === undefined) continue;
      joiner.add(`${before}${printName(name)}:`);
      this.printTo(joiner, member);
      before = ',';
    }
    joiner.add(before === '{' ? '{}' : '}');
  }
}

const PLAIN_NAME = /^\w+$/;

function printName(name: string): string {
  return PLAIN_NAME.test(name) ? `"${name}"` : JSON.stringify(name);
}

function textOfAscii(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** True if a literal of this length may represent the text. This test excludes most literals. */
function mayRead(length: number, text: string): boolean {
  return length >= text.length && length <= text.length * MAX_CHARACTERS_PER_CHARACTER;
}

/** The literal, if it represents the text; otherwise `null`. */
function literalOf(text: string, index: number, written: WrittenTexts): JsonPiece | null {
  const value = written.valueOf(index);
  if (value !== null) return value === text ? written.literal(index) : null;
  const literal = written.literal(index);
  return reads(typeof literal === 'string' ? literal : textOfAscii(literal), text) ? literal : null;
}

/** True if the literal represents the text; only literals with escapes are parsed. */
function reads(literal: string, text: string): boolean {
  const escape = literal.indexOf('\\');
  if (escape < 0) return literal.slice(1, -1) === text;
  return literal.slice(1, escape) === text.slice(0, escape - 1) && JSON.parse(literal) === text;
}
