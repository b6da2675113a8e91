import type { JsonObject } from '@tollgate/core';

export type LineEnd = '\n' | '\r\n' | '\r';

/** How the frames of a stream are put into bytes. */
export interface Framing {
  /** `\n` unless said otherwise. */
  readonly lineEnd?: LineEnd;
  /** Some servers never send `[DONE]`; none that speaks the messages format does. */
  readonly done?: 'sent' | 'missing';
  /** Writes end at these offsets of the stream's bytes, wherever that is: inside a character, between CR and LF. */
  readonly splitAt?: readonly number[];
}

/** The text of each event, `[DONE]` included. Objects with a `type` are named after it, as in the messages format. */
export function framesOf(chunks: readonly JsonObject[], framing: Framing = {}): readonly string[] {
  const lineEnd = framing.lineEnd ?? '\n';
  const frames = chunks.map((chunk) => frameOf(chunk, lineEnd));
  return framing.done === 'missing' ? frames : [...frames, `data: [DONE]${lineEnd}${lineEnd}`];
}

function frameOf(chunk: JsonObject, lineEnd: LineEnd): string {
  const name = typeof chunk['type'] === 'string' ? `event: ${chunk['type']}${lineEnd}` : '';
  return `${name}data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
}

/** The bytes cut at the given offsets; offsets outside of them are ignored. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const inside = [0, ...offsets, bytes.length].filter((offset) => offset >= 0 && offset <= bytes.length);
  const cuts = [...new Set(inside)].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, position) => bytes.subarray(cuts[position], end));
}
