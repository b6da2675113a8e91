import { GatewayError, type JsonDocument, type JsonObject } from '@tollgate/core';
import { jsonDocument, oncePer } from '@tollgate/json-text';

/** The path of a container in a request, innermost key first. It becomes text only in an error. */
export interface FieldPath {
  readonly within: FieldPath | null;
  readonly key: string | number;
}

/** The path as clients write it: `messages[2].content[0].text`. */
export function pathOf(within: FieldPath | null, key: string | number): string {
  const keys: (string | number)[] = [key];
  for (let place = within; place !== null; place = place.within) keys.push(place.key);
  return keys.toReversed().map((part, depth) => (typeof part === 'number' ? `[${part}]` : depth === 0 ? part : `.${part}`)).join('');
}

/**
 * Turns the value under `key` into its canonical form.
 * Throws `GatewayError('invalid_request')` with the value's path as `param` when it cannot.
 */
export type Decoder<T> = (value: unknown, within: FieldPath | null, key: string | number) => T;

/** The refusal of one field: `problem` completes the sentence that begins with the field's path ("must be a string"). */
export function invalidField(within: FieldPath | null, key: string | number, problem: string): GatewayError {
  const param = pathOf(within, key);
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}

/** Deepest nesting of arrays and objects that is parsed. */
export const MAX_JSON_DEPTH = 64;
/** Keys of all objects that a request brings in, and items of all lists: a value takes many times the memory of its text. */
export const MAX_JSON_KEYS = 32_768;
export const MAX_JSON_ITEMS = 131_072;
/** Characters of the chat format's `user`. */
export const MAX_USER_CHARACTERS = 256;
/** Characters of `metadata.user_id`, which coding agents fill with a JSON text of about 150. */
export const MAX_METADATA_USER_ID_CHARACTERS = 4096;
/** Characters of a model name; no slug or alias comes near it. */
export const MAX_MODEL_NAME_CHARACTERS = 256;

/** Characters of a text, where one outside the basic plane counts once although it takes two code units. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    if (isLead(text.charCodeAt(at)) && isTrail(text.charCodeAt(at + 1))) count -= 1;
  }
  return count;
}

/** Whether a text is over its limit; a text within it in code units, as nearly all are, is never read. */
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

/** For names and ids, which stand for something only when they say something. */
export const decodeNonEmptyString: Decoder<string> = (value, within, key) => {
  if (typeof value !== 'string' || value === '') throw invalidField(within, key, 'must be a non-empty string');
  return value;
};

export const decodeBoolean: Decoder<boolean> = (value, within, key) => {
  if (typeof value !== 'boolean') throw invalidField(within, key, 'must be true or false');
  return value;
};

/** A string of at most `limit` characters; a character outside the basic plane counts once. */
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

/** A number from `least` to `most`, both included. */
export function decodeNumberWithin(least: number, most: number): Decoder<number> {
  return (value, within, key) => {
    if (typeof value !== 'number' || !(value >= least && value <= most)) {
      throw invalidField(within, key, `must be a number from ${least} to ${most}`);
    }
    return value;
  };
}

/** A number above `floor` and not above `most`. */
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

/** A string that must be one of the keys of `meanings`; the result is what that key stands for. */
export function decodeOneOf<T>(meanings: ReadonlyMap<string, T>): Decoder<T> {
  const choices = [...meanings.keys()].map((choice) => `'${choice}'`).join(', ');
  return (value, within, key) => {
    const meaning = typeof value === 'string' ? meanings.get(value) : undefined;
    if (meaning === undefined) throw invalidField(within, key, `must be one of ${choices}`);
    return meaning;
  };
}

/** U+0000 and lone surrogates: databases refuse them, and a request must never fail at its settlement. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;
const REPLACEMENT = '\u{FFFD}';

/** The client's name for its user, at most `limit` characters, made fit to be stored; an empty one says nothing. */
export function decodeAttribution(limit: number): Decoder<string | null> {
  const decode = decodeStringUpTo(limit);
  return (value, within, key) => {
    const text = decode(value, within, key);
    return text === '' ? null : text.replace(EVERY_UNSTORABLE, REPLACEMENT);
  };
}

const decodeShortString = decodeStringUpTo(MAX_MODEL_NAME_CHARACTERS);

/** A slug or alias. It is stored with the usage record, so it must be storable as it is. */
export const decodeModelName: Decoder<string> = (value, within, key) => {
  const name = decodeShortString(decodeNonEmptyString(value, within, key), within, key);
  if (UNSTORABLE.test(name)) throw invalidField(within, key, 'contains characters that are not allowed in model names');
  return name;
};

/** A JSON object of the request and where it stands; `place` is `null` for the body itself. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  readonly place: FieldPath | null;
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
    const place: FieldPath = { within, key };
    return decodeArray(value, within, key).map((item, index) => decodeItem(item, place, index));
  };
}

/** The field of every format whose list is the same in one request after the other. */
export const RECURRING_FIELD = 'tools';
/** The field that makes up most of a request, in the chat and messages formats: a list of messages. */
export const MESSAGES_FIELD = 'messages';
/** The field of a responses request that holds its items, which are stored as they were written. */
export const INPUT_FIELD = 'input';

/** Like `decode`, but decodes a frozen value once: the parser gives the same frozen list for tools that recur. A refusal is not remembered. */
export function decodeOnce<T>(decode: Decoder<T>): Decoder<T> {
  const decodeFrozen = oncePer<object, [within: FieldPath | null, key: string | number], T>(decode);
  return (value, within, key) => {
    const isFrozen = typeof value === 'object' && value !== null && Object.isFrozen(value);
    return isFrozen ? decodeFrozen(value, within, key) : decode(value, within, key);
  };
}

/** The fields of the formats that hold an object of the client's own, which is passed on as it was written. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'input', 'schema']);

/** An object that the format passes on without reading it. */
export const decodeDocument: Decoder<JsonDocument> = (value, within, key) => jsonDocument(decodeObject(value, within, key).values as JsonObject);
