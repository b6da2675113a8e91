/** Format characters with a glyph, such as the Arabic number sign. */
const DRAWN = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/**
 * Characters that are invisible or reorder text: default-ignorables, format characters, line separators, the blank Braille cell. Excludes valid
 * joiners and emoji variation selectors.
 */
const HIDDEN = [
  String.raw`(?![${DRAWN}\u200c\u200d])\p{Cf}`,
  String.raw`(?![\u200c\u200d\ufe0f])\p{Default_Ignorable_Code_Point}`,
  String.raw`[\u2028\u2029\u2800]`,
  String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{M}\p{Script=Arabic}])[\u200c\u200d]`,
  String.raw`[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])`,
  String.raw`(?<![\p{Emoji}\p{Emoji_Modifier}])\ufe0f`,
].join('|');
/** C0 and C1 controls and DEL, which a terminal interprets, and hidden characters. */
const UNPRINTABLE = new RegExp(String.raw`\p{Cc}|${HIDDEN}`, 'gu');
const UNPRINTABLE_EXCEPT_NEWLINES = new RegExp(String.raw`(?!\n)\p{Cc}|${HIDDEN}`, 'gu');
/** Fast path: printable ASCII. */
const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[ -~\n]*$/;

const HEXADECIMAL = 16;
const ESCAPE_DIGITS = 4;

/** Escapes as JSON does, so that escaped JSON stays valid. */
function escapeOf(character: string): string {
  return character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(HEXADECIMAL).padStart(ESCAPE_DIGITS, '0')}`).join('');
}

/** For a terminal: escapes control and hidden characters and line breaks. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, escapeOf);
}

/** Like `printable`, but keeps line breaks. */
export function printableLines(text: string): string {
  return PLAIN_LINES.test(text) ? text : text.replace(UNPRINTABLE_EXCEPT_NEWLINES, escapeOf);
}
