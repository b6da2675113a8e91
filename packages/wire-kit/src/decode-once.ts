import { oncePer } from '@tollgate/json-text';
import type { Decoder } from './decoder.js';
import type { Place } from './place.js';

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
