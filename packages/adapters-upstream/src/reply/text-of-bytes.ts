const UTF8 = new TextDecoder();

/** The text of pieces of UTF-8, without a byte order mark; U+FFFD replaces what is invalid. */
export function textOfBytes(pieces: readonly Uint8Array[]): string {
  return UTF8.decode(Buffer.concat(pieces));
}
