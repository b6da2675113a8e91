/** With the flag `u`, `\p{Surrogate}` matches only unpaired surrogates. */
const EVERY_UNSTORABLE = /\0|\p{Surrogate}/gu;

/** A faster test that also matches paired surrogates. */
const MAY_BE_UNSTORABLE = /[\0\ud800-\udfff]/;

/** Replaces U+0000 and unpaired surrogates, which some databases do not accept or would change. */
export function storableText(text: string): string {
  if (!MAY_BE_UNSTORABLE.test(text)) return text;
  return text.replace(EVERY_UNSTORABLE, '\u{FFFD}');
}

export function storableTextOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}
