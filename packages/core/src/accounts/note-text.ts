import { refuseField } from '../errors/field-fault.js';

export const MAX_NOTE_CHARACTERS = 4_000;

/** Line breaks and tabs are the only control characters. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** Removes white space at both ends. Throws `invalid_request` that names `text`. */
export function requireNoteText(text: string): string {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  if (trimmed !== '' && trimmed.length <= MAX_NOTE_CHARACTERS && !CONTROL.test(trimmed)) return trimmed;
  throw refuseField('text', `must have 1 to ${MAX_NOTE_CHARACTERS} characters, without control characters`, { code: 'invalid' });
}
