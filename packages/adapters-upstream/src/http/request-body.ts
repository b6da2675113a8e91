import type { JsonPiece, JsonPieces } from '@tollgate/json-text';

/** Whether the connection uses TLS. */
export type Transport = 'plain' | 'encrypted';

/** A body in UTF-8; a `LargeBody` can be sent once. */
export type RequestBody = Uint8Array | LargeBody;

/** Bodies of at least this size are released from memory once sent. For smaller ones, the release costs more than it saves. */
const LARGE_BYTES = 32 * 1024;

/** Creates the body before the call waits for its reply. Otherwise the text would stay in memory, and every garbage collection would copy it. */
export function requestBody({ pieces }: JsonPieces, transport: Transport): RequestBody {
  const bytes = utf8Bytes(pieces);
  return bytes.byteLength < LARGE_BYTES ? bytes : new LargeBody(bytes, transport);
}

/** Size of the last piece: small enough that the connection needs no drain. */
const LAST_BYTES = 1024;

/**
 * An iterable body, because undici keeps a buffer in memory until the end of the reply, and an agent's prompt is large. Until a large piece has
 * drained, undici considers the request unsent, and closes the connection if the reply ends earlier. TLS reports the drain one turn of the event loop
 * late, so with TLS the last bytes are a separate piece.
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

/** Spare room for one more character. Without it, text beyond ASCII might be cut after as many bytes as it has characters, and be taken for ASCII. */
const SPARE_BYTES = 4;

/** Encodes pieces of text. ASCII, as in nearly all requests, is written without counting its bytes first. */
export function utf8Bytes(pieces: readonly JsonPiece[]): Uint8Array {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const bytes = Buffer.allocUnsafe(length + SPARE_BYTES);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece !== 'string') bytes.set(piece, at);
    else if (bytes.write(piece, at) !== piece.length) return Buffer.concat(pieces.map((each) => (typeof each === 'string' ? Buffer.from(each) : each)));
    at += piece.length;
  }
  return bytes.subarray(0, length);
}
