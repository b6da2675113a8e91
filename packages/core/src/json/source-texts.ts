import type { JsonObject } from '../json.js';
import type { JsonDocument } from './json-text.js';
import { afterSpace, CLOSE_BRACE, CLOSE_BRACKET, COMMA, endOfString, endOfValue, OPEN_BRACE, OPEN_BRACKET } from './json-tokens.js';
import { surveyJson } from './survey-json.js';

/** How parsed objects were written, where printing them would change something. */
const sourceTexts = new WeakMap<object, string>();

const EVERYTHING = { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth: 0, searches: [], items: null, texts: null };

/**
 * Parses JSON like `JSON.parse`, and remembers how the objects in fields of these names were written where printing would change them.
 * Throws `SyntaxError`. It goes through the text a second time, so it is for texts of which `surveyJson` says that they need it.
 */
export function parseJsonExactly(text: string, fields: ReadonlySet<string>): unknown {
  const value: unknown = JSON.parse(text);
  if (mayName(text, fields)) new SourceWalk(text, fields).visit(value);
  return value;
}

/** Whether an object of the text may have a field of these names; escapes may spell any name. */
function mayName(text: string, fields: ReadonlySet<string>): boolean {
  for (const field of fields) if (text.includes(`"${field}"`)) return true;
  return text.includes('\\u');
}

/** The text of an object: as it was written where `parseJsonExactly` remembers that, else its print. */
export function jsonTextOf(value: JsonObject): string {
  return sourceTexts.get(value) ?? JSON.stringify(value);
}

/** An object with its text. */
export function jsonDocument(value: JsonObject): JsonDocument {
  return { value, text: jsonTextOf(value) };
}

/** Walks through a sound text beside the value that was parsed from it. */
class SourceWalk {
  #at = 0;

  constructor(private readonly text: string, private readonly fields: ReadonlySet<string>) {}

  visit(value: unknown): void {
    const code = this.#next();
    if (code === OPEN_BRACE) this.#visitObject(value);
    else if (code === OPEN_BRACKET) this.#visitList(value);
    else this.#at = endOfValue(this.text, this.#at);
  }

  #visitObject(value: unknown): void {
    this.#at += 1;
    while (this.#next() !== CLOSE_BRACE) {
      this.#skipComma();
      const key = this.#readKey();
      const member = memberOf(value, key);
      if (this.fields.has(key)) this.#remember(member);
      else this.visit(member);
    }
    this.#at += 1;
  }

  #visitList(value: unknown): void {
    this.#at += 1;
    for (let index = 0; this.#next() !== CLOSE_BRACKET; index += 1) {
      this.#skipComma();
      this.visit(memberOf(value, index));
    }
    this.#at += 1;
  }

  /** Of a key that is written twice the last value counts, so what was remembered of the first is taken back. */
  #remember(value: unknown): void {
    this.#next();
    const start = this.#at;
    this.#at = endOfValue(this.text, start);
    if (typeof value !== 'object' || value === null) return;
    const text = this.text.slice(start, this.#at);
    const survey = surveyJson(text, EVERYTHING);
    if (survey.withinDepth && survey.printsTheSame) sourceTexts.delete(value);
    else sourceTexts.set(value, text);
  }

  /** The next character that is not white space, which is where the walk stands then. */
  #next(): number {
    this.#at = afterSpace(this.text, this.#at);
    return this.text.charCodeAt(this.#at);
  }

  #skipComma(): void {
    if (this.#next() === COMMA) this.#at += 1;
    this.#next();
  }

  #readKey(): string {
    const opening = this.#at;
    const closing = endOfString(this.text, opening);
    this.#at = this.text.indexOf(':', closing) + 1;
    return JSON.parse(this.text.slice(opening, closing + 1)) as string;
  }
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
}
