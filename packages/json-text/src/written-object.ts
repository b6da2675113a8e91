import type { JsonObject } from './json-text.js';
import { surveyJson } from './survey.js';
import { afterSpace, CLOSE_BRACE, CLOSE_BRACKET, COMMA, endOfString, endOfValue, OPEN_BRACE, OPEN_BRACKET } from './tokens.js';

/** An object that `JSON.stringify` would print with other numbers or another key order: the parsed object and its text. */
export class WrittenObject {
  constructor(readonly value: JsonObject, readonly text: string) {}

  /** Called by `JSON.stringify`, which thus prints the parsed object. */
  toJSON(): JsonObject {
    return this.value;
  }
}

/** The object to read, and the text to forward: the original one if `parseExactly` kept it. */
export function jsonDocument(object: JsonObject | WrittenObject): { readonly value: JsonObject; readonly text: string } {
  return object instanceof WrittenObject ? { value: object.value, text: object.text } : { value: object, text: JSON.stringify(object) };
}

const EVERYTHING = { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth: 0, searches: [], texts: null };

/**
 * `JSON.parse`, except that objects in these fields become a `WrittenObject` if printing would change them. Throws `SyntaxError`. Reads the text
 * twice, so it should be called only if `surveyJson` finds that printing changes the text.
 */
export function parseExactly(text: string, fields: ReadonlySet<string>): unknown {
  const value: unknown = JSON.parse(text);
  if (mayName(text, fields)) new SourceWalk(text, fields).visit(value);
  return value;
}

/** True if the text may contain one of the fields; escapes may spell any name. */
function mayName(text: string, fields: ReadonlySet<string>): boolean {
  for (const field of fields) if (text.includes(`"${field}"`)) return true;
  return text.includes('\\u');
}

/** Walks through valid text in parallel with its parsed value. */
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
      if (this.fields.has(key) && !Array.isArray(member)) this.#keep(value, key);
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

  /** Keeps the object's text. For a duplicate key, the last value counts. */
  #keep(container: unknown, key: string): void {
    this.#next();
    const start = this.#at;
    this.#at = endOfValue(this.text, start);
    const member = memberOf(container, key);
    if (typeof member !== 'object' || member === null) return;
    const object = member instanceof WrittenObject ? member.value : member as JsonObject;
    const text = this.text.slice(start, this.#at);
    const survey = surveyJson(text, EVERYTHING);
    const isUnchanged = survey.withinDepth && survey.printsTheSame;
    (container as Record<string, unknown>)[key] = isUnchanged ? object : new WrittenObject(object, text);
  }

  /** Skips whitespace, and returns the next character. */
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
