/**
 * What a terminal obeys instead of showing it: the C0 and C1 control characters with DEL, and the characters that change the
 * direction or the line of a text.
 */
// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex
const OBEYED_EXCEPT_NEWLINES = /[\0-\t\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const HEXADECIMAL = 16;
const ESCAPE_DIGITS = 4;

/** As JSON writes it, so that JSON stays JSON. */
function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(HEXADECIMAL).padStart(ESCAPE_DIGITS, '0')}`;
}

/** A text for an operator's terminal, in one line: what the terminal would obey is written as an escape. */
export function printable(text: string): string {
  return text.replace(OBEYED, escapeOf);
}

/** The same for a text of several lines, which keeps its line breaks. */
export function printableLines(text: string): string {
  return text.replace(OBEYED_EXCEPT_NEWLINES, escapeOf);
}
