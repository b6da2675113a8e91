const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_D = 0x64;
/** The bit in which lower-case and upper-case letters differ. */
const LOWER_CASE = 0x20;
const ESCAPE_BYTES = 6;
const REPLACEMENT = Buffer.from(String.raw`\ufffd`);

/** The kind of surrogate that the escape at this position represents; `null` if none. */
function surrogateAt(bytes: Uint8Array, at: number): 'high' | 'low' | null {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U || ((bytes[at + 2] ?? 0) | LOWER_CASE) !== LETTER_D) return null;
  const digit = Number.parseInt(String.fromCharCode(bytes[at + 3] ?? 0), 16);
  if (!(digit >= 8)) return null;
  return digit < 0xc ? 'high' : 'low';
}

/** False if no escape in the JSON text represents a surrogate. Most texts have no `\u` at all. */
export function mayEscapeSurrogates(text: string): boolean {
  return text.includes(String.raw`\u`) && (text.includes(String.raw`\ud`) || text.includes(String.raw`\uD`));
}

/**
 * Replaces each escape of an unpaired surrogate with `\ufffd`, which is as long. Returns the same bytes if there are none. Servers refuse unpaired
 * surrogates or fail on them, and UTF-8 cannot represent them.
 */
export function withWellFormedEscapes(bytes: Buffer): Buffer {
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
