import type { JsonObject, JsonValue } from './exact-json.js';
import type { StringNotes } from './survey.js';

/** A shorter string is printed as fast as it is found. */
const SHORTEST_CHARACTERS = 512;
/** A longer literal, full of escapes, is printed again instead. */
const MOST_CHARACTERS_PER_CHARACTER = 2;
/** Literals compared with one string: some stand in fields that are not forwarded. */
const MOST_CANDIDATES = 8;

/** Where the long strings of a JSON text stand, so that a printer can copy their literals. */
export class WrittenTexts implements StringNotes {
  /** Positions of opening and closing quotes in turn. */
  readonly #quotes: number[] = [];

  /** `cut` gives the text from one position to another; it is called when texts are printed. */
  constructor(private readonly cut: (from: number, to: number) => string) {}

  /** Told of each string, in order. */
  note(opening: number, closing: number): void {
    if (closing - opening > SHORTEST_CHARACTERS) this.#quotes.push(opening, closing);
  }

  get count(): number {
    return this.#quotes.length / 2;
  }

  /** How long the literal of one string is, without its quotes. After the last comes the first again. */
  lengthOf(index: number): number {
    const { opening, closing } = this.#placeOf(index);
    return closing - opening - 1;
  }

  /** Where one string begins. */
  startOf(index: number): number {
    return this.#placeOf(index).opening;
  }

  /** The literal of one string, quotes and all; cutting it out takes time in proportion to its length. */
  literal(index: number): string {
    const { opening, closing } = this.#placeOf(index);
    return this.cut(opening, closing + 1);
  }

  #placeOf(index: number): { readonly opening: number; readonly closing: number } {
    const at = (index % this.count) * 2;
    return { opening: this.#quotes[at] as number, closing: this.#quotes[at + 1] as number };
  }
}

/** Prints texts as JSON: long ones as they were written, if they come in about the order they were written in. */
export class TextPrinter {
  #next = 0;

  constructor(private readonly written: WrittenTexts | null) {}

  print(text: string): string {
    if (text.length < SHORTEST_CHARACTERS || this.written === null) return JSON.stringify(text);
    const end = this.#next + Math.min(MOST_CANDIDATES, this.written.count);
    for (let index = this.#next; index < end; index += 1) {
      if (!mayRead(this.written.lengthOf(index), text)) continue;
      const literal = this.written.literal(index);
      if (!reads(literal, text)) continue;
      this.#next = index + 1;
      return literal;
    }
    return JSON.stringify(text);
  }

  /** From now on texts are looked for behind a position, unless they are already. */
  skipTo(position: number): void {
    const { written } = this;
    if (written === null) return;
    while (this.#next < written.count && written.startOf(this.#next) < position) this.#next += 1;
  }

  /** Prints any value, and the texts in it as `print` does. */
  printValue(value: JsonValue): string {
    if (typeof value === 'string') return this.print(value);
    if (this.written === null || typeof value !== 'object' || value === null) return JSON.stringify(value);
    return Array.isArray(value) ? this.#printList(value) : this.#printObject(value as JsonObject);
  }

  #printList(list: readonly JsonValue[]): string {
    let printed = '[';
    for (const member of list) printed += `${printed === '[' ? '' : ','}${this.printValue(member)}`;
    return `${printed}]`;
  }

  #printObject(object: JsonObject): string {
    let printed = '{';
    for (const name in object) {
      const member = object[name];
      if (member !== undefined) printed += `${printed === '{' ? '' : ','}${JSON.stringify(name)}:${this.printValue(member)}`;
    }
    return `${printed}}`;
  }
}

/** Whether a literal so long may be that of the text; most are told apart by that, without being looked at. */
function mayRead(length: number, text: string): boolean {
  return length >= text.length && length <= text.length * MOST_CHARACTERS_PER_CHARACTER;
}

/** Whether a literal of sound JSON is that of the text. Only what is written with escapes has to be parsed to know. */
function reads(literal: string, text: string): boolean {
  const escape = literal.indexOf('\\');
  if (escape < 0) return literal.slice(1, -1) === text;
  return literal.slice(1, escape) === text.slice(0, escape - 1) && JSON.parse(literal) === text;
}
