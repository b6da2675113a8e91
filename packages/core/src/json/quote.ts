import { isPlainText } from './plain-text.js';

/** A text as JSON. */
export function quote(text: string): string {
  return isPlainText(text) ? `"${text}"` : JSON.stringify(text);
}

/** As many as the formats have names of fields; others are quoted each time. */
const MOST_NAMES = 64;
const names = new Map<string, string>();

/** `quote` for names of fields, which are few and come again and again. */
export function quoteName(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const quoted = quote(name);
  if (names.size < MOST_NAMES) names.set(name, quoted);
  return quoted;
}
