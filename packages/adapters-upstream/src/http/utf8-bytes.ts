const encoder = new TextEncoder();

/** The text in UTF-8. One of ASCII alone, as nearly all requests are, is not measured before it is written. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafe(text.length);
  return encoder.encodeInto(text, bytes).read === text.length ? bytes : Buffer.from(text);
}
