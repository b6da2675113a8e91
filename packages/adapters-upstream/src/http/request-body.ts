import type { JsonPiece, JsonPieces } from '@tollgate/json-text';

const encoder = new TextEncoder();

/** The pieces of a text, one after the other in UTF-8. Characters of ASCII alone, as nearly all requests are, are not measured before they are written. */
export function utf8Bytes(pieces: readonly JsonPiece[]): Uint8Array {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece !== 'string') bytes.set(piece, at);
    else if (!writeAscii(bytes, at, piece)) return Buffer.concat(pieces.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)));
    at += piece.length;
  }
  return bytes;
}

/** Whether it was ASCII, which takes as many bytes as it has characters; for anything else there is no room. */
function writeAscii(bytes: Buffer, at: number, text: string): boolean {
  return encoder.encodeInto(text, text.length === bytes.length ? bytes : bytes.subarray(at, at + text.length)).read === text.length;
}

/** From this many bytes on, a body is released as soon as it is sent; for smaller ones, releasing costs more than it saves. */
const LARGE_BYTES = 32 * 1024;
/** So few that no connection has to be drained before it takes more. */
const LAST_BYTES = 1024;

/** How the bytes travel. */
export type Transport = 'plain' | 'encrypted';

/**
 * A body that undici reads once and knows no longer than that. Bytes that it is handed it keeps for as long as the reply goes on, which
 * may be minutes, and an agent's prompt is the largest part of what its request takes.
 *
 * Until a connection is drained of a large piece, undici takes the request as not sent, and closes the connection when the reply is
 * over by then. One that encrypts says so a turn of the event loop late, when a quick reply is over: there, the last bytes come apart.
 */
export class LargeBody implements Iterable<Uint8Array> {
  readonly byteLength: number;
  #unsent: Uint8Array | null;

  constructor(bytes: Uint8Array, private readonly transport: Transport) {
    this.byteLength = bytes.byteLength;
    this.#unsent = bytes;
  }

  * [Symbol.iterator](): Iterator<Uint8Array> {
    const bytes = this.#unsent;
    this.#unsent = null;
    if (bytes === null) return;
    if (this.transport === 'plain') {
      yield bytes;
      return;
    }
    yield bytes.subarray(0, -LAST_BYTES);
    yield bytes.subarray(-LAST_BYTES);
  }
}

/** What is sent to an upstream, in UTF-8. One that is large can be sent once. */
export type RequestBody = Uint8Array | LargeBody;

/** The text as a body. Create it before waiting: a text would be kept for as long as an upstream takes, and copied by every collection of garbage. */
export function requestBody({ pieces }: JsonPieces, transport: Transport): RequestBody {
  const bytes = utf8Bytes(pieces);
  return bytes.byteLength < LARGE_BYTES ? bytes : new LargeBody(bytes, transport);
}
