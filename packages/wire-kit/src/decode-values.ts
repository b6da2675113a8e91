import { type Decoder, invalidField } from './decoder.js';
import { MAX_MODEL_NAME_CHARACTERS } from './request-limits.js';

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
  if (UNSTORABLE.test(name)) throw invalidField(within, key, 'contains characters that no model name has');
  return name;
};
