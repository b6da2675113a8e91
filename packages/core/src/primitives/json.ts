export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A client's object, with the text that the client wrote, for forwarding it verbatim. */
export interface JsonDocument {
  readonly value: JsonObject;
  readonly text: string;
}
