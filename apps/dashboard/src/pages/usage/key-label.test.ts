import { expect, it } from '@jest/globals';
import { keyLabel } from './key-label.js';

it('names a key with its last four characters, an unnamed key by its hint, and the playground’s key as such', () => {
  expect(keyLabel({ name: 'laptop', hint: 'sk-ab…wxyz' })).toBe('laptop …wxyz');
  expect(keyLabel({ name: null, hint: 'sk-ab…wxyz' })).toBe('sk-ab…wxyz');
  expect(keyLabel({ name: null, hint: null })).toBe('Playground');
});

it('keeps the last four characters after a right-to-left name', () => {
  expect(keyLabel({ name: '\u05de\u05e4\u05ea\u05d7 2', hint: 'sk-ab\u2026wxyz' })).toBe('\u2068\u05de\u05e4\u05ea\u05d7 2\u2069 \u2026wxyz');
});
