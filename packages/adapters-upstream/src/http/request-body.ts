import { utf8Bytes } from './utf8-bytes.js';

/** From this many bytes on, a body is let go of as soon as it is sent; below, doing so takes longer than the bytes are worth. */
const LARGE_BYTES = 32 * 1024;

/**
 * A body that undici reads once and knows no longer than that. Bytes that it is handed it keeps for as long as the reply goes on, which
 * may be minutes, and an agent's prompt is the largest part of what its request takes.
 */
export class LargeBody implements Iterable<Uint8Array> {
  readonly byteLength: number;
  #unsent: Uint8Array | null;

  constructor(bytes: Uint8Array) {
    this.byteLength = bytes.byteLength;
    this.#unsent = bytes;
  }

  * [Symbol.iterator](): Iterator<Uint8Array> {
    const bytes = this.#unsent;
    this.#unsent = null;
    if (bytes !== null) yield bytes;
  }
}

/** What is sent to an upstream, in UTF-8. It can be sent once. */
export type RequestBody = Uint8Array | LargeBody;

/** The text as a body. To be made before anybody waits: a text would be kept for as long as an upstream takes, and copied by every collection of garbage. */
export function requestBody(text: string): RequestBody {
  const bytes = utf8Bytes(text);
  return bytes.byteLength < LARGE_BYTES ? bytes : new LargeBody(bytes);
}
