/** Format characters that are drawn, such as the Arabic number sign. */
const DRAWN = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/**
 * What no one sees, or what changes the direction or the order of other text: all that is ignored where it is not known, format characters, line
 * separators and the empty Braille cell. Joiners between letters and pictures that need them, and the choice of a coloured picture, stay.
 */
const HIDDEN = [
  String.raw`(?![${DRAWN}\u200c\u200d])\p{Cf}`,
  String.raw`(?![\u200c\u200d\ufe0f])\p{Default_Ignorable_Code_Point}`,
  String.raw`[\u2028\u2029\u2800]`,
  String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{M}\p{Script=Arabic}])[\u200c\u200d]`,
  String.raw`[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])`,
  String.raw`(?<![\p{Emoji}\p{Emoji_Modifier}])\ufe0f`,
].join('|');
/** What a terminal obeys instead of showing it: the C0 and C1 control characters with DEL. */
const OBEYED = new RegExp(String.raw`\p{Cc}|${HIDDEN}`, 'gu');
const OBEYED_EXCEPT_NEWLINES = new RegExp(String.raw`(?!\n)\p{Cc}|${HIDDEN}`, 'gu');
/** Most texts need no closer look. */
const PLAIN = /^[ -~]*$/;

const HEXADECIMAL = 16;
const ESCAPE_DIGITS = 4;

/** As JSON writes it, so that JSON stays JSON. */
function escapeOf(character: string): string {
  return character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(HEXADECIMAL).padStart(ESCAPE_DIGITS, '0')}`).join('');
}

/** A text for an operator's terminal, in one line: what the terminal would obey, and what no one would see, is written as an escape. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(OBEYED, escapeOf);
}

/** The same for a text of several lines, which keeps its line breaks. */
export function printableLines(text: string): string {
  return PLAIN.test(text) ? text : text.replace(OBEYED_EXCEPT_NEWLINES, escapeOf);
}
