/** With the `u` flag this matches lone surrogates only, never the two halves of a pair. */
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Nearly no name has any of these; halves of a pair are among them. */
const MAY_BE_UNSTORABLE = /[\0\ud800-\udfff]/;

/** The text with U+0000 and lone surrogates replaced: what every database accepts and reads back unchanged. */
export function storableText(text: string): string {
  if (!MAY_BE_UNSTORABLE.test(text)) return text;
  return text.replace(EVERY_UNSTORABLE, '\u{FFFD}');
}

export function storableTextOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
