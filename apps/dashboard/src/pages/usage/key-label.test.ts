import { expect, it } from '@jest/globals';
import { keyLabel } from './key-label.js';

it('names a key with its last four characters, without a name by its hint, and the playground’s key as such', () => {
  expect(keyLabel({ name: 'laptop', hint: 'sk-ab…wxyz' })).toBe('laptop …wxyz');
  expect(keyLabel({ name: null, hint: 'sk-ab…wxyz' })).toBe('sk-ab…wxyz');
  expect(keyLabel({ name: null, hint: null })).toBe('Playground');
});
