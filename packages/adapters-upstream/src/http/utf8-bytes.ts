import type { JsonPiece } from '@tollgate/json-text';

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
