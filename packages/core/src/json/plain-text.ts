/** Pieces of a reply are shorter, and for a longer text others find all of this out faster. */
const LONGEST_READ = 512;
const FIRST_PRINTABLE_CODE = 0x20;
const QUOTE_CODE = 0x22;
const BACKSLASH_CODE = 0x5c;
const LAST_ASCII_CODE = 0x7f;

/** Whether a text is short, of ASCII alone, and stands in JSON as what it is. */
export function isPlainText(text: string): boolean {
  if (text.length > LONGEST_READ) return false;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code < FIRST_PRINTABLE_CODE || code > LAST_ASCII_CODE || code === QUOTE_CODE || code === BACKSLASH_CODE) return false;
  }
  return true;
}
