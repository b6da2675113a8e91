/** With the `u` flag, `\p{Surrogate}` matches lone surrogates only. */
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A quick test; also matches surrogate pairs. */
const MAY_BE_UNSTORABLE = /[\0\ud800-\udfff]/;

/** Replaces U+0000 and lone surrogates, which some databases refuse or change. */
export function storableText(text: string): string {
  if (!MAY_BE_UNSTORABLE.test(text)) return text;
  return text.replace(EVERY_UNSTORABLE, '\u{FFFD}');
}

export function storableTextOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
