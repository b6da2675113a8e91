import type { JsonObject } from '@tollgate/core';

export type LineEnd = '\n' | '\r\n' | '\r';

/** How the frames of a stream are encoded as bytes. */
export interface Framing {
  /** End of a line. Default: `\n`. */
  readonly lineEnd?: LineEnd;
  /** Some servers never send `[DONE]`; servers of the messages format never do. */
  readonly done?: 'sent' | 'missing';
  /** Byte offsets at which writes end, even inside a character or a CRLF. */
  readonly splitAt?: readonly number[];
}

/** Frames with `[DONE]`. An object's `type` becomes the event name, as in the messages format. */
export function framesOf(chunks: readonly JsonObject[], framing: Framing = {}): readonly string[] {
  const lineEnd = framing.lineEnd ?? '\n';
  const frames = chunks.map((chunk) => frameOf(chunk, lineEnd));
  return framing.done === 'missing' ? frames : [...frames, `data: [DONE]${lineEnd}${lineEnd}`];
}

function frameOf(chunk: JsonObject, lineEnd: LineEnd): string {
  const name = typeof chunk['type'] === 'string' ? `event: ${chunk['type']}${lineEnd}` : '';
  return `${name}data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
}

/** Cuts the bytes at these offsets; offsets outside the bytes are ignored. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const inside = [0, ...offsets, bytes.length].filter((offset) => offset >= 0 && offset <= bytes.length);
  const cuts = [...new Set(inside)].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, position) => bytes.subarray(cuts[position], end));
}
