import { refuseField } from '../errors/field-fault.js';

export const MAX_NOTE_CHARACTERS = 4_000;

/** Control characters except line feeds and tabs, which a note may contain. */
const CONTROL = /[^\P{Cc}\n\t]/u;

/** Removes white space at both ends and replaces CRLF by LF. Throws `invalid_request` that names `text` if the text is invalid. */
export function requireNoteText(text: string): string {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  if (trimmed !== '' && trimmed.length <= MAX_NOTE_CHARACTERS && !CONTROL.test(trimmed)) return trimmed;
  throw refuseField('text', `must have 1 to ${MAX_NOTE_CHARACTERS} characters, and no control characters except line breaks and tabs`, { code: 'invalid' });
}
