export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A JSON object that the client wrote: to look into, and to pass on as it was written. */
export interface JsonDocument {
  readonly value: JsonObject;
  readonly text: string;
}
