import type { RequestFacts, ReservationProgress } from '@tollgate/core';

// Facts and progress hold texts, numbers, booleans and null only, so JSON gives back what it was given. It also
// escapes the characters that databases refuse in text.

export function encodeFacts(facts: RequestFacts): string {
  return JSON.stringify(facts);
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
