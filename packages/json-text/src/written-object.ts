import type { JsonObject } from './json-text.js';
import { surveyJson } from './survey.js';
import { afterSpace, CLOSE_BRACE, CLOSE_BRACKET, COMMA, endOfString, endOfValue, OPEN_BRACE, OPEN_BRACKET } from './tokens.js';

/** Stands in a parsed value for an object of which printing would change a number or the order of its keys. */
export class WrittenObject {
  constructor(readonly value: JsonObject, readonly text: string) {}

  /** What `JSON.stringify` prints of a value that holds this one. */
  toJSON(): JsonObject {
    return this.value;
  }
}

/** An object to look into, and its text to pass on: the one it was written in, where `parseExactly` kept that. */
export function jsonDocument(object: JsonObject | WrittenObject): { readonly value: JsonObject; readonly text: string } {
  return object instanceof WrittenObject ? { value: object.value, text: object.text } : { value: object, text: JSON.stringify(object) };
}

const EVERYTHING = { maximumDepth: Infinity, maximumTokens: Infinity, watchedDepth: 0, searches: [], items: [], texts: null };

/**
 * Parses JSON like `JSON.parse`, but gives a `WrittenObject` for each object in a field of these names that printing would change.
 * Throws `SyntaxError`. It reads the text a second time, so use it for texts of which `surveyJson` says that they need it.
 */
export function parseExactly(text: string, fields: ReadonlySet<string>): unknown {
  const value: unknown = JSON.parse(text);
  if (mayName(text, fields)) new SourceWalk(text, fields).visit(value);
  return value;
}

/** Whether an object of the text may have a field of these names; escapes may spell any name. */
function mayName(text: string, fields: ReadonlySet<string>): boolean {
  for (const field of fields) if (text.includes(`"${field}"`)) return true;
  return text.includes('\\u');
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

  /** Of a key that is written twice the last value counts, so the text of the first is replaced. */
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
