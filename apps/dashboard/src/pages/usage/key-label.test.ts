import { expect, it } from '@jest/globals';
import { keyLabel } from './key-label.js';

it('a key is labelled with its name and last four characters; without a name, with its hint', () => {
  expect(keyLabel({ name: 'laptop', hint: 'sk-ab…wxyz' })).toBe('laptop …wxyz');
  expect(keyLabel({ name: null, hint: 'sk-ab…wxyz' })).toBe('sk-ab…wxyz');
  expect(keyLabel({ name: null, hint: null })).toBe('Playground');
});

it('the last four characters of a key follow its name even if the name is written from right to left', () => {
  expect(keyLabel({ name: '\u05de\u05e4\u05ea\u05d7 2', hint: 'sk-ab\u2026wxyz' })).toBe('\u2068\u05de\u05e4\u05ea\u05d7 2\u2069 \u2026wxyz');
});
