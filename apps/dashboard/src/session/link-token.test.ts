import { expect, it } from '@jest/globals';
import { pageOf, tokenIn } from './link-token.js';

it('finds the page of a link in any letter case, with and without a trailing slash', () => {
  expect(['/dashboard/verify', '/dashboard/Change-Email/', '/dashboard/link'].map(pageOf)).toEqual(['verify', 'change-email', 'link']);
});

it('finds the token in the fragment of a link, and none in other fragments', () => {
  expect(tokenIn('#token=abc-DEF_1')).toBe('abc-DEF_1');
  expect(tokenIn('#main')).toBeNull();
  expect(tokenIn('')).toBeNull();
});
