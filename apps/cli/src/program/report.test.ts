import { expect, it } from '@jest/globals';
import { shortened } from './report.js';

it('truncates names by their width in a terminal', () => {
  expect(['x'.repeat(40), 'x'.repeat(41), `${'x'.repeat(38)}😀x`].map(shortened)).toEqual(['x'.repeat(40), `${'x'.repeat(39)}…`, `${'x'.repeat(38)}…`]);
  expect(shortened('\u202e'.repeat(200))).toBe(`${'\\u202e'.repeat(6)}\\u2…`);
});
