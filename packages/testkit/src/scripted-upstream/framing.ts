import type { JsonObject } from '@tollgate/core';

export type LineEnd = '\n' | '\r\n' | '\r';

/** How the frames of a stream become bytes. */
export interface Framing {
  /** What ends each line. By default, `\n`. */
  readonly lineEnd?: LineEnd;
  /** Whether `[DONE]` is sent. Some servers never send it, nor do servers of the messages format. */
  readonly done?: 'sent' | 'missing';
  /** Byte offsets at which a new write begins, even within a character or a CRLF. */
  readonly splitAt?: readonly number[];
}

/**
 * One frame per object, then `[DONE]` unless `done` is `missing`. An event is named by the `type` of its object, if any, as in the messages format.
 */
export function framesOf(chunks: readonly JsonObject[], framing: Framing = {}): readonly string[] {
  const lineEnd = framing.lineEnd ?? '\n';
  const frames = chunks.map((chunk) => frameOf(chunk, lineEnd));
  return framing.done === 'missing' ? frames : [...frames, `data: [DONE]${lineEnd}${lineEnd}`];
}

function frameOf(chunk: JsonObject, lineEnd: LineEnd): string {
  const name = typeof chunk['type'] === 'string' ? `event: ${chunk['type']}${lineEnd}` : '';
  return `${name}data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
}

/** Cuts the bytes at these offsets. Ignores offsets outside the bytes. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const inside = [0, ...offsets, bytes.length].filter((offset) => offset >= 0 && offset <= bytes.length);
  const cuts = [...new Set(inside)].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, position) => bytes.subarray(cuts[position], end));
}
