import type { Decoder } from './decoder.js';
import { invalidField } from './invalid-request.js';
import type { Place } from './place.js';

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
