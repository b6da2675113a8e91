export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A client's object, also forwarded exactly as written. */
export interface JsonDocument {
  readonly value: JsonObject;
  readonly text: string;
}
