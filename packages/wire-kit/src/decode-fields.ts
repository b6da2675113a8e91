import { GatewayError } from '@tollgate/core';
import type { Decoder } from './decoder.js';
import { invalidField } from './invalid-request.js';
import type { Place } from './place.js';

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
