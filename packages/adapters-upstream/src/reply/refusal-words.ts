import type { UpstreamReply } from '../upstream/upstream-failure.js';
import { errorObjectIn } from './error-object.js';
import { asList, asObject } from './json-values.js';

/** The body in lower case, without quoted parts of the request. */
export function wordsOf(body: string): string {
  const error = errorObjectIn(body);
  if (error === null) return body.toLowerCase();
  const details = asList(error['detail']).flatMap((detail) => [...asList(asObject(detail)?.['loc']), asObject(detail)?.['msg']]);
  return [error['code'], error['type'], error['message'], error['error'], error['detail'], ...details].filter((part) => typeof part === 'string').join(' ').toLowerCase();
}

/** Phrases, in lower case, about data that servers get back: thinking, signatures, encrypted reasoning. */
const CONTINUATION_PHRASES = [
  'thinking', 'thought', 'signature', 'encrypted', 'reasoning_content', 'reasoning_details', 'extra_content', 'reasoning item', "'reasoning' item", 'reasoning block', "type 'reasoning'",
];

/** True if a refusal is about the reasoning of earlier turns. */
export function speaksOfContinuation({ body }: UpstreamReply): boolean {
  return includesAny(wordsOf(body), CONTINUATION_PHRASES);
}

/** True if a refusal says that a call's thought signature is missing or wrong. */
export function speaksOfThoughtSignature({ body }: UpstreamReply): boolean {
  return includesAny(wordsOf(body), ['thought_signature', 'thought signature', 'thoughtsignature']);
}

export function includesAny(said: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => said.includes(phrase));
}
