import { GatewayError, type JsonDocument, type JsonObject } from '@tollgate/core';
import { jsonDocument, oncePer } from '@tollgate/json-text';
import { type Decoder, invalidField, type Place } from './decoder.js';

/** A JSON object of the request and where it stands; `place` is `null` for the body itself. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly place: Place | null;
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a request body. */
export function decodeBody(body: unknown): Fields {
  if (!isJsonObject(body)) throw new GatewayError('invalid_request', 'The request body must be a JSON object.');
  return { values: body, place: null };
}

export const decodeObject: Decoder<Fields> = (value, within, key) => {
  if (!isJsonObject(value)) throw invalidField(within, key, 'must be an object');
  return { values: value, place: { within, key } };
};

/** Reads a field that must be there; `null` counts as missing. */
export function required<T>(fields: Fields, name: string, decode: Decoder<T>): T {
  const value = fields.values[name];
  if (value === undefined || value === null) throw invalidField(fields.place, name, 'is required');
  return decode(value, fields.place, name);
}

/** Reads a field that may be missing or `null`, either of which gives `null`. */
export function optional<T>(fields: Fields, name: string, decode: Decoder<T>): T | null {
  const value = fields.values[name];
  return value === undefined || value === null ? null : decode(value, fields.place, name);
}

/** Whether a field says anything. */
export function isPresent(fields: Fields, name: string): boolean {
  const value = fields.values[name];
  return value !== undefined && value !== null;
}

export const decodeArray: Decoder<readonly unknown[]> = (value, within, key) => {
  if (!Array.isArray(value)) throw invalidField(within, key, 'must be an array');
  return value as readonly unknown[];
};

/** Every item of an array, decoded in order. */
export function decodeListOf<T>(decodeItem: Decoder<T>): Decoder<readonly T[]> {
  return (value, within, key) => {
    const place: Place = { within, key };
    return decodeArray(value, within, key).map((item, index) => decodeItem(item, place, index));
  };
}

/** Like `decodeListOf`, for at most `limit` items: the list is at fault where it has more. */
export function decodeListUpTo<T>(limit: number, decodeItem: Decoder<T>): Decoder<readonly T[]> {
  const decode = decodeListOf(decodeItem);
  return (value, within, key) => {
    const items = decodeArray(value, within, key);
    if (items.length > limit) throw invalidField(within, key, `must have at most ${limit} items, but has ${items.length}`);
    return decode(items, within, key);
  };
}

/** The field of either format whose list is the same in one request after the other. */
export const RECURRING_FIELD = 'tools';
/** The field that makes up most of a request, in both formats: a list of messages. */
export const MESSAGES_FIELD = 'messages';

/** Like `decode`, but decodes a frozen value once: the parser gives the same frozen list for tools that recur. A refusal is not remembered. */
export function decodeOnce<T>(decode: Decoder<T>): Decoder<T> {
  const decodeFrozen = oncePer<object, [within: Place | null, key: string | number], T>(decode);
  return (value, within, key) => {
    const isFrozen = typeof value === 'object' && value !== null && Object.isFrozen(value);
    return isFrozen ? decodeFrozen(value, within, key) : decode(value, within, key);
  };
}

/** The fields of either format that hold an object of the client's own, which is passed on as it was written. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'input', 'schema']);

/** An object that the format passes on without reading it. */
export const decodeDocument: Decoder<JsonDocument> = (value, within, key) => jsonDocument(decodeObject(value, within, key).values as JsonObject);
