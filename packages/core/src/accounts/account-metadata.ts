import { refuseField } from '../errors/field-fault.js';
import type { AccountMetadata } from './account.js';

export const MAX_METADATA_ENTRIES = 16;
/** In UTF-16 code units, like the two bounds below. */
export const MAX_METADATA_KEY = 40;
export const MAX_METADATA_VALUE = 500;
export const MAX_EXTERNAL_ID = 200;

/** Control characters and lone surrogates, some of which a database rejects or replaces. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

function isText(text: string, longest: number): boolean {
  return text.length <= longest && !UNSTORABLE.test(text);
}

/** Throws `invalid_request` that names the field if the metadata is invalid; accepts `undefined`. */
export function requireMetadata(metadata: AccountMetadata | undefined): void {
  const entries = Object.entries(metadata ?? {});
  const isValid = entries.length <= MAX_METADATA_ENTRIES
    && entries.every(([key, value]) => key !== '' && isText(key, MAX_METADATA_KEY) && isText(value, MAX_METADATA_VALUE));
  if (isValid) return;
  const rule = `at most ${MAX_METADATA_ENTRIES} texts with keys of 1 to ${MAX_METADATA_KEY} and values of up to ${MAX_METADATA_VALUE} characters, none of them control characters`;
  throw refuseField('metadata', `must be ${rule}`, { code: 'invalid' });
}

/** Throws `invalid_request` that names the field if the id is malformed; accepts `undefined` and `null`. */
export function requireExternalId(externalId: string | null | undefined): void {
  if (externalId === null || externalId === undefined) return;
  if (externalId.trim() === externalId && externalId !== '' && isText(externalId, MAX_EXTERNAL_ID)) return;
  throw refuseField('external_id', `must have 1 to ${MAX_EXTERNAL_ID} characters, no control characters, and no space at its ends`, { code: 'invalid' });
}
