const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_D = 0x64;
/** Makes lower-case letters of upper-case ones. */
const LOWER_CASE = 0x20;
const ESCAPE_BYTES = 6;
const REPLACEMENT = Buffer.from(String.raw`\ufffd`);

/** Half of a surrogate pair that an escape at this place stands for. */
function surrogateAt(bytes: Uint8Array, at: number): 'high' | 'low' | null {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U || ((bytes[at + 2] ?? 0) | LOWER_CASE) !== LETTER_D) return null;
  const digit = Number.parseInt(String.fromCharCode(bytes[at + 3] ?? 0), 16);
  if (!(digit >= 8)) return null;
  return digit < 0xc ? 'high' : 'low';
}

/**
 * A JSON text in UTF-8 whose escapes are well-formed: a surrogate without its other half becomes U+FFFD, which has as many bytes.
 * The same bytes where there is none. Servers refuse such a text, or fail on it, and UTF-8 has no other form of it.
 */
export function withWellFormedEscapes(bytes: Buffer): Buffer {
  // Most texts have no such escape at all, which one search tells.
  if (!bytes.includes(String.raw`\u`) || (!bytes.includes(String.raw`\ud`) && !bytes.includes(String.raw`\uD`))) return bytes;
  let repaired: Buffer | null = null;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== BACKSLASH) continue;
    const half = surrogateAt(bytes, at);
    if (half === 'high' && surrogateAt(bytes, at + ESCAPE_BYTES) === 'low') at += 2 * ESCAPE_BYTES - 1;
    else if (half === null) at += 1;
    else {
      repaired ??= Buffer.from(bytes);
      REPLACEMENT.copy(repaired, at);
    }
  }
  return repaired ?? bytes;
}
