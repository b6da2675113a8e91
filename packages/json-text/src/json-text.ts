export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** The text of a JSON value, printed as it is: numbers and the order of keys survive. The text must be JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** What can be printed: a value, or the text of one. */
export type Printable = JsonValue | JsonText;
