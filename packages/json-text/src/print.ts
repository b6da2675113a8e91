import { JsonPieces, PieceJoiner } from './json-pieces.js';
import { type JsonObject, JsonText, type JsonValue, type Printable } from './json-text.js';

function printValue(value: Printable): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Prints an object from trusted property names. Omits `undefined`; prints adjacent values together. */
export function printObject(fields: Readonly<Record<string, Printable | undefined>>): JsonText {
  let members = '';
  let values: Record<string, JsonValue> | null = null;
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    if (value instanceof JsonText) {
      members = joined(withMembers(members, values), `${JSON.stringify(name)}:${value.text}`);
      values = null;
    } else {
      values ??= {};
      values[name] = value;
    }
  }
  return new JsonText(`{${withMembers(members, values)}}`);
}

function withMembers(members: string, values: JsonObject | null): string {
  return values === null ? members : joined(members, JSON.stringify(values).slice(1, -1));
}

function joined(members: string, more: string): string {
  return members === '' ? more : `${members},${more}`;
}

export const UTF8 = new TextEncoder();

/** Prints a list as UTF-8. */
export function printBytes(list: readonly unknown[]): Uint8Array {
  return UTF8.encode(JSON.stringify(list));
}

export function printList(items: readonly Printable[]): JsonText {
  let printed = '';
  for (const item of items) printed += `${printed === '' ? '' : ','}${printValue(item)}`;
  return new JsonText(`[${printed}]`);
}

/** Prints an object from entries, like `printObject`. If a value is in pieces, the result is too. */
export function printObjectInPieces(fields: Iterable<readonly [name: string, value: Printable | JsonPieces | undefined]>): JsonPieces {
  const joiner = new PieceJoiner();
  let before = '{';
  for (const [name, value] of fields) {
    if (value === undefined) continue;
    joiner.add(`${before}${JSON.stringify(name)}:`);
    if (value instanceof JsonPieces) joiner.addAll(value);
    else joiner.add(printValue(value));
    before = ',';
  }
  joiner.add(before === '{' ? '{}' : '}');
  return joiner.joined();
}
