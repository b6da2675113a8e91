import type { Decoder } from './decoder.js';

/** The field of either format whose list is the same in one request after the other. */
export const RECURRING_FIELD = 'tools';
/** The field that makes up most of a request, in both formats: a list of messages. */
export const MESSAGES_FIELD = 'messages';

/**
 * Like `decode`, but one and the same value is decoded once, wherever it stands. Only what is frozen is remembered, since nothing else
 * is sure to stay as it is, and nothing is remembered of what is refused.
 */
export function decodeOnce<T>(decode: Decoder<T>): Decoder<T> {
  const decoded = new WeakMap<object, T>();
  return (value, within, key) => {
    if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return decode(value, within, key);
    const before = decoded.get(value);
    if (before !== undefined) return before;
    const result = decode(value, within, key);
    decoded.set(value, result);
    return result;
  };
}
