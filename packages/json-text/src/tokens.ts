export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const MINUS = 0x2d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
/** The highest whitespace code. */
export const SPACE = 0x20;
const NUMBER = /[-+.\dEe]*/y;
const SCALAR = /[^\s,\]}]*/y;
/** Matches an integer key and its colon: JavaScript objects move integer keys to the front, in ascending order. */
const KEY_THAT_MOVES = /(?:0|[1-9]\d{0,9})"\s*:/y;
const MAX_KEY_THAT_MOVES = 10;

export function isDigit(code: number): boolean {
  return code >= DIGIT_ZERO && code <= DIGIT_NINE;
}

/** Position of the closing quote; the length of the text if there is none. */
export function endOfString(text: string, opening: number): number {
  let quote = text.indexOf('"', opening + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

/** True if the quote follows an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

export function endOfNumber(text: string, start: number): number {
  return endOfMatch(NUMBER, text, start);
}

function endOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Position of the next character that is no whitespace, from `start` on. */
export function afterSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

/** End of the value, which may be nested to any depth. The text must be valid JSON. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start) + 1;
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfMatch(SCALAR, text, start);
  let depth = 1;
  let at = start + 1;
  for (; depth > 0; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return at;
}

/** Maximum length of a printed double, such as `-0.0000012345678901234567`. */
const MAX_PRINTED_NUMBER = 25;

/** True if JavaScript prints the number unchanged; false for 1.0, 1e3 and integers beyond double precision. */
export function isPrintedAsWritten(number: string): boolean {
  return number.length <= MAX_PRINTED_NUMBER && String(Number(number)) === number;
}

/** True for integer keys, which JavaScript objects reorder. */
export function isKeyThatMoves(text: string, opening: number, closing: number): boolean {
  if (closing - opening > MAX_KEY_THAT_MOVES + 1 || !isDigit(text.charCodeAt(opening + 1))) return false;
  KEY_THAT_MOVES.lastIndex = opening + 1;
  return KEY_THAT_MOVES.test(text);
}
