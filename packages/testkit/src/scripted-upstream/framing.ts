import type { JsonObject } from '@tollgate/core';

export type LineEnd = '\n' | '\r\n' | '\r';

/** How the frames of a stream are put into bytes. */
export interface Framing {
  /** `\n` unless said otherwise. */
  readonly lineEnd?: LineEnd;
  /** Some servers never send `[DONE]`. */
  readonly done?: 'sent' | 'missing';
  /** Writes end at these offsets of the stream's bytes, wherever that is: inside a character, between CR and LF. */
  readonly splitAt?: readonly number[];
}

/** The text of each event, `[DONE]` included. */
export function framesOf(chunks: readonly JsonObject[], framing: Framing = {}): readonly string[] {
  const lineEnd = framing.lineEnd ?? '\n';
  const payloads = [...chunks.map((chunk) => JSON.stringify(chunk)), ...(framing.done === 'missing' ? [] : ['[DONE]'])];
  return payloads.map((payload) => `data: ${payload}${lineEnd}${lineEnd}`);
}

/** The bytes cut at the given offsets; offsets outside of them are ignored. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const inside = [0, ...offsets, bytes.length].filter((offset) => offset >= 0 && offset <= bytes.length);
  const cuts = [...new Set(inside)].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, position) => bytes.subarray(cuts[position], end));
}
