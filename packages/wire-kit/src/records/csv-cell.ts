/**
 * Places where a spreadsheet may begin a cell with a formula. A cell begins at the start of a text, and after what a spreadsheet may take for the
 * end of a cell, as some do with semicolons and tabs; a formula with one of the signs, also in full width. An apostrophe at such a place counts too.
 */
const CELL_START = /(?<=^|[",;\t\r\n])(?=[=+\-@＝＋－＠'])|^(?=[\t\r\n])/gu;

/** Ids, amounts and instants, which are nearly all there is. */
const PLAIN = /^\w[\w.:-]*$/u;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$|^$/u;

/** Puts an apostrophe before whatever could begin a formula. Taking away one apostrophe at each of those places gives the text back. */
export function withoutFormula(text: string): string {
  return text.replace(CELL_START, "'");
}

/** A value as one cell of a CSV file (RFC 4180). Nothing for `null`, and `""` for an empty text; no text begins a formula. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  if (PLAIN.test(value)) return value;
  const safe = withoutFormula(value);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
