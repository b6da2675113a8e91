import type { JsonObject, JsonValue } from '../json.js';
import { quoteName } from './quote.js';

/** A JSON value by its text, which is printed as it is: numbers, order of keys and all. Whoever makes one knows that the text is JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** What can be printed: a value, or the text of one. */
export type Printable = JsonValue | JsonText;

/** The text of what can be printed. */
export function printValue(value: Printable): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Prints an object of which some fields are texts already. Fields that are `undefined` are left out. */
export function printObject(fields: Readonly<Record<string, Printable | undefined>>): JsonText {
  let members = '';
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    members += `${members === '' ? '' : ','}${quoteName(name)}:${printValue(value)}`;
  }
  return new JsonText(`{${members}}`);
}

/** Prints a list of which some items are texts already. They are appended, which copies none of them before all is written out. */
export function printList(items: readonly Printable[]): JsonText {
  let printed = '';
  for (const item of items) printed += `${printed === '' ? '' : ','}${printValue(item)}`;
  return new JsonText(`[${printed}]`);
}

/** A JSON object that somebody else wrote: to look into, and to pass on as it was written. */
export interface JsonDocument {
  readonly value: JsonObject;
  readonly text: string;
}
