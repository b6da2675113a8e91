import { GatewayError, type JsonDocument, type JsonObject } from '@tollgate/core';
import { jsonDocument, oncePer } from '@tollgate/json-text';

/** Location in a request, innermost key first. Formatted only in errors. */
export interface FieldPath {
  readonly within: FieldPath | null;
  readonly key: string | number;
}

/** For example `messages[2].content[0].text`. */
export function pathOf(within: FieldPath | null, key: string | number): string {
  const keys: (string | number)[] = [key];
  for (let place = within; place !== null; place = place.within) keys.push(place.key);
  return keys.toReversed().map((part, depth) => (typeof part === 'number' ? `[${part}]` : depth === 0 ? part : `.${part}`)).join('');
}

/** Decodes the value at `key`. Throws `GatewayError('invalid_request')` with its path as `param`. */
export type Decoder<T> = (value: unknown, within: FieldPath | null, key: string | number) => T;

/** The refusal of a field. `problem` completes a sentence that begins with the path: "must be a string". */
export function invalidField(within: FieldPath | null, key: string | number, problem: string): GatewayError {
  const param = pathOf(within, key);
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}

/** Maximum depth of arrays and objects. */
export const MAX_JSON_DEPTH = 64;
/** Maximum number of keys in all objects together, and of items in all lists together, because values need many times the memory of their text. */
export const MAX_JSON_KEYS = 32_768;
export const MAX_JSON_ITEMS = 131_072;
/** Maximum length of `user` and `safety_identifier` in the chat and responses formats. */
export const MAX_USER_CHARACTERS = 256;
/** Maximum length of `metadata.user_id`; coding agents send a JSON text of about 150 characters. */
export const MAX_METADATA_USER_ID_CHARACTERS = 4096;
/** Maximum length of a model's name in requests: longer than any slug or alias. */
export const MAX_MODEL_NAME_CHARACTERS = 256;

/** The number of code points, not code units. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if (isLead(text.charCodeAt(at)) && isTrail(text.charCodeAt(at + 1))) count -= 1;
  }
  return count;
}

/** True if the text has more code points than the limit. Counts code points only if the code units exceed the limit. */
export function hasMoreCharactersThan(text: string, limit: number): boolean {
  return text.length > limit && characterCount(text) > limit;
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

export const decodeString: Decoder<string> = (value, within, key) => {
  if (typeof value !== 'string') throw invalidField(within, key, 'must be a string');
  return value;
};

export const decodeNonEmptyString: Decoder<string> = (value, within, key) => {
  if (typeof value !== 'string' || value === '') throw invalidField(within, key, 'must be a non-empty string');
  return value;
};

export const decodeBoolean: Decoder<boolean> = (value, within, key) => {
  if (typeof value !== 'boolean') throw invalidField(within, key, 'must be true or false');
  return value;
};

/** Decodes a string of at most `limit` code points. */
export function decodeStringUpTo(limit: number): Decoder<string> {
  return (value, within, key) => {
    const text = decodeString(value, within, key);
    if (hasMoreCharactersThan(text, limit)) throw invalidField(within, key, `must have at most ${limit} characters`);
    return text;
  };
}

export const decodeNumber: Decoder<number> = (value, within, key) => {
  if (typeof value !== 'number') throw invalidField(within, key, 'must be a number');
  return value;
};

/** Decodes a number; both bounds are allowed values. */
export function decodeNumberWithin(least: number, most: number): Decoder<number> {
  return (value, within, key) => {
    if (typeof value !== 'number' || !(value >= least && value <= most)) {
      throw invalidField(within, key, `must be a number from ${least} to ${most}`);
    }
    return value;
  };
}

/** Decodes a number greater than `floor` and at most `most`. */
export function decodeNumberAbove(floor: number, most: number): Decoder<number> {
  return (value, within, key) => {
    if (typeof value !== 'number' || !(value > floor && value <= most)) {
      throw invalidField(within, key, `must be a number above ${floor} and at most ${most}`);
    }
    return value;
  };
}

export function decodeIntegerFrom(least: number): Decoder<number> {
  return (value, within, key) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
      throw invalidField(within, key, `must be an integer of at least ${least}`);
    }
    return value;
  };
}

/** Decodes one of several strings to its meaning. */
export function decodeOneOf<T>(meanings: ReadonlyMap<string, T>): Decoder<T> {
  const choices = [...meanings.keys()].map((choice) => `'${choice}'`).join(', ');
  return (value, within, key) => {
    const meaning = typeof value === 'string' ? meanings.get(value) : undefined;
    if (meaning === undefined) throw invalidField(within, key, `must be one of ${choices}`);
    return meaning;
  };
}

/** Matches U+0000 and unpaired surrogates: databases refuse them, and a settlement must not fail because of a text. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;
const REPLACEMENT = '\u{FFFD}';

/** Decodes the client's name for its user. Replaces characters that cannot be stored; empty text becomes `null`. */
export function decodeAttribution(limit: number): Decoder<string | null> {
  const decode = decodeStringUpTo(limit);
  return (value, within, key) => {
    const text = decode(value, within, key);
    return text === '' ? null : text.replace(EVERY_UNSTORABLE, REPLACEMENT);
  };
}

const decodeUser = decodeAttribution(MAX_USER_CHARACTERS);

/** Decodes `user` and its newer name `safety_identifier`. Both are validated; the newer one counts. */
export function decodeUserName(body: Fields): string | null {
  const older = optional(body, 'user', decodeUser);
  return optional(body, 'safety_identifier', decodeUser) ?? older;
}

const decodeShortString = decodeStringUpTo(MAX_MODEL_NAME_CHARACTERS);

/** Decodes a model's name. Refuses what cannot be stored, because the usage record contains the name. */
export const decodeModelName: Decoder<string> = (value, within, key) => {
  const name = decodeShortString(decodeNonEmptyString(value, within, key), within, key);
  if (UNSTORABLE.test(name)) throw invalidField(within, key, 'contains characters that are not allowed in model names');
  return name;
};

/** The members of an object in a request. `place` is its location; `null` for the body itself. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly place: FieldPath | null;
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function decodeBody(body: unknown): Fields {
  if (!isJsonObject(body)) throw new GatewayError('invalid_request', 'The request body must be a JSON object.');
  return { values: body, place: null };
}

export const decodeObject: Decoder<Fields> = (value, within, key) => {
  if (!isJsonObject(value)) throw invalidField(within, key, 'must be an object');
  return { values: value, place: { within, key } };
};

/** Decodes a field that must be present; `null` counts as missing. */
export function required<T>(fields: Fields, name: string, decode: Decoder<T>): T {
  const value = fields.values[name];
  if (value === undefined || value === null) throw invalidField(fields.place, name, 'is required');
  return decode(value, fields.place, name);
}

/** Decodes a field; returns `null` if it is missing or `null`. */
export function optional<T>(fields: Fields, name: string, decode: Decoder<T>): T | null {
  const value = fields.values[name];
  return value === undefined || value === null ? null : decode(value, fields.place, name);
}

/** False if missing or `null`. */
export function isPresent(fields: Fields, name: string): boolean {
  const value = fields.values[name];
  return value !== undefined && value !== null;
}

export const decodeArray: Decoder<readonly unknown[]> = (value, within, key) => {
  if (!Array.isArray(value)) throw invalidField(within, key, 'must be an array');
  return value as readonly unknown[];
};

export function decodeListOf<T>(decodeItem: Decoder<T>): Decoder<readonly T[]> {
  return (value, within, key) => {
    const place: FieldPath = { within, key };
    return decodeArray(value, within, key).map((item, index) => decodeItem(item, place, index));
  };
}

/** The field that is identical in consecutive requests of an agent. */
export const RECURRING_FIELD = 'tools';
/** The field that makes up most of a chat or messages request. */
export const MESSAGES_FIELD = 'messages';
/** The field with the items of a responses request, which are stored verbatim. */
export const INPUT_FIELD = 'input';

/** Caches the results for frozen values, which the parser returns for recurring tools. Failures are not cached. */
export function decodeOnce<T>(decode: Decoder<T>): Decoder<T> {
  const decodeFrozen = oncePer<object, [within: FieldPath | null, key: string | number], T>(decode);
  return (value, within, key) => {
    const isFrozen = typeof value === 'object' && value !== null && Object.isFrozen(value);
    return isFrozen ? decodeFrozen(value, within, key) : decode(value, within, key);
  };
}

/** Fields with an object of the client's own, which is forwarded verbatim. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'input', 'schema']);

/** Decodes an object that is forwarded unread. */
export const decodeDocument: Decoder<JsonDocument> = (value, within, key) => jsonDocument(decodeObject(value, within, key).values as JsonObject);
