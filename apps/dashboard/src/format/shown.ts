/**
 * What no one sees, or what changes the order of other text: control characters but tabs and line breaks, soft hyphens, fillers, zero-width and
 * variation characters, marks and embeddings of direction, tags. Joiners between letters of scripts and pictures that need them stay.
 */
const HIDDEN = new RegExp([
  String.raw`(?![\t\n\r])\p{Cc}`,
  String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]`,
  String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{M}\p{Script=Arabic}])[\u200c\u200d]`,
  String.raw`[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}])`,
  String.raw`(?<![\p{Emoji}\p{Emoji_Modifier}])\ufe0f`,
].join('|'), 'gu');
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];
/** What was isolated before: a text passes through several components. */
const ISOLATED = /(\u2068[^\u2066-\u2069]*\u2069)/u;
const HEXADECIMAL = 16;
const DIGITS = 4;

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(HEXADECIMAL).padStart(DIGITS, '0')}`;
}

/** A text as pages show it: hidden characters are written as escapes, and a text with letters that run from right to left does not reorder what stands beside it. */
export function shown(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text.split(ISOLATED).map((part, index) => (index % 2 === 1 && RIGHT_TO_LEFT.test(part) ? isolated(part.slice(1, -1)) : isolated(part))).join('');
}

function isolated(text: string): string {
  const escaped = text.replaceAll(HIDDEN, escapeOf);
  return RIGHT_TO_LEFT.test(escaped) ? `${ISOLATE}${escaped}${END_OF_ISOLATE}` : escaped;
}
