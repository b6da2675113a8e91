import { expect, it } from '@jest/globals';
import { MAX_DISPLAY_NAME, isDisplayName } from '../primitives/display-name.js';
import { requireDisplayName } from './require-display-name.js';

it.each(['a', ' a ', 'x'.repeat(MAX_DISPLAY_NAME), 'Ünïcode 京都', 'A😀'])('%j is a valid name', (name) => {
  expect(isDisplayName(name)).toBe(true);
  expect(() => requireDisplayName(name)).not.toThrow();
});

it.each(['x'.repeat(201), '', ' ', 'a\nb', 'a\u0000', 'a\u2028b', 'a\u2029b', 'a\ud800', '\udc00a'])('%j is not a valid name', (name) => {
  expect(isDisplayName(name)).toBe(false);
  expect(() => requireDisplayName(name)).toThrow('name: must be one line of 1 to 200 characters.');
});

it('an absent name is accepted', () => {
  expect(() => [requireDisplayName(null), requireDisplayName(undefined)]).not.toThrow();
});
