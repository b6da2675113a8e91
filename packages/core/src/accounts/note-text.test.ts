import { expect, it } from '@jest/globals';
import { MAX_NOTE_CHARACTERS, requireNoteText } from './note-text.js';

it('a note keeps its line breaks, but no white space at its start or end', () => {
  expect(requireNoteText(' one\r\n\ttwo 😀\n')).toBe('one\n\ttwo 😀');
  expect(requireNoteText('x'.repeat(MAX_NOTE_CHARACTERS))).toHaveLength(MAX_NOTE_CHARACTERS);
});

it.each([['no text', ' \n '], ['too many characters', 'x'.repeat(MAX_NOTE_CHARACTERS + 1)], ['a control character', 'a\u0007b'], ['an escape sequence', 'a\u001B[31mb']])('a note with %s is refused', (_what, text) => {
  expect(() => requireNoteText(text)).toThrow('text: must have 1 to 4000 characters, and no control characters except line breaks and tabs.');
});
