import type { RequestFacts, ReservationProgress } from '@tollgate/core';
import { storableText, storableTextOrNull } from '../text/storable-text.js';

// Facts and progress hold texts, numbers, booleans and null only, so JSON gives back what it was given. It also
// escapes the characters that databases refuse in text.

export function encodeFacts(facts: RequestFacts): string {
  return JSON.stringify(facts);
}

/** The facts with what clients named freely as it is going to be recorded, for a database that looks into the JSON itself. */
export function storableFacts(facts: RequestFacts): RequestFacts {
  const requestedModel = storableText(facts.requestedModel);
  const attribution = storableTextOrNull(facts.attribution);
  const isStorable = requestedModel === facts.requestedModel && attribution === facts.attribution;
  return isStorable ? facts : { ...facts, requestedModel, attribution };
}

export function decodeFacts(column: string): RequestFacts {
  return JSON.parse(column) as RequestFacts;
}

export function encodeProgress(progress: ReservationProgress): string {
  return JSON.stringify(progress);
}

export function decodeProgress(column: string | null): ReservationProgress | null {
  return column === null ? null : JSON.parse(column) as ReservationProgress;
}
