export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** JSON text that is printed verbatim, with its numbers and key order. The creator guarantees valid JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

export type Printable = JsonValue | JsonText;
