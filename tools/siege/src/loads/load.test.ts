import { expect, test } from '@jest/globals';
import { numberedHeaders, Numbering } from './load.js';

test('each request of an attack gets the next number and the next key', () => {
  const numbering = new Numbering(['first', 'second']);
  const texts = Array.from({ length: 3 }, () => numbering.next()('{key} {number} {number}'));
  expect(texts).toEqual(['second 1 1', 'first 2 2', 'second 3 3']);
});

test('placeholders in headers are replaced, and the other text is unchanged', () => {
  const put = new Numbering([]).next();
  expect(numberedHeaders({ 'x-forwarded-for': '2001:db8:{number}::1', 'host': 'siege' }, put)).toEqual({ 'x-forwarded-for': '2001:db8:1::1', 'host': 'siege' });
});
