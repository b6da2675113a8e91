const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Position of the quote that ends the string whose first character is at `start`; the length of the text if none does. */
function endOfString(json: Uint8Array, start: number): number {
  let position = start;
  while (position < json.length && json[position] !== QUOTE) position += json[position] === BACKSLASH ? 2 : 1;
  return position;
}

/**
 * Whether JSON text nests arrays and objects at most this deep, told in one pass without parsing.
 * `JSON.parse` takes any depth, and what walks its result afterwards does not.
 */
export function isWithinDepth(json: Uint8Array, maximum: number): boolean {
  let depth = 0;
  for (let position = 0; position < json.length; position += 1) {
    const byte = json[position];
    if (byte === QUOTE) position = endOfString(json, position + 1);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    if (depth > maximum) return false;
  }
  return true;
}
