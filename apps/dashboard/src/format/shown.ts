/** Format characters that are visible, such as the Arabic number sign. */
const DRAWN = String.raw`\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`;
/**
 * Invisible characters, and those that change direction or order: controls except tabs and line breaks, default ignorable and format
 * characters, line separators, the empty Braille cell. Required joiners and emoji selectors are kept.
 */
const HIDDEN = new RegExp([
  String.raw`(?![\t\n\r])\p{Cc}`,
  String.raw`(?![${DRAWN}\u200c\u200d])\p{Cf}`,
  String.raw`(?![\u200c\u200d\ufe0f])\p{Default_Ignorable_Code_Point}`,
  String.raw`[\u2028\u2029\u2800]`,
  String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{M}\p{Script=Arabic}])[\u200c\u200d]`,
  String.raw`[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])`,
  String.raw`(?<![\p{Emoji}\p{Emoji_Modifier}])\ufe0f`,
].join('|'), 'gu');
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];
/** Matches text that an earlier call has isolated, because texts may pass through several components. */
const ISOLATED = /(\u2068[^\u2066-\u2069]*\u2069)/u;
const HEXADECIMAL = 16;
const DIGITS = 4;

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(HEXADECIMAL).padStart(DIGITS, '0')}`;
}

/** Escapes hidden characters, and isolates right-to-left text from its surroundings. */
export function shown(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text.split(ISOLATED).map((part, index) => (index % 2 === 1 && RIGHT_TO_LEFT.test(part) ? isolated(part.slice(1, -1)) : isolated(part))).join('');
}

function isolated(text: string): string {
  const escaped = text.replaceAll(HIDDEN, escapeOf);
  return RIGHT_TO_LEFT.test(escaped) ? `${ISOLATE}${escaped}${END_OF_ISOLATE}` : escaped;
}
