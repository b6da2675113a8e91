import type { Decoder } from './decoder.js';
import { decodeNonEmptyString, decodeStringUpTo } from './decode-values.js';
import { invalidField } from './invalid-request.js';
import { MAX_MODEL_NAME_CHARACTERS } from './request-limits.js';

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
