import type { Decoder } from './decoder.js';
import { invalidField } from './invalid-request.js';
import { hasMoreCharactersThan } from './characters.js';

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
