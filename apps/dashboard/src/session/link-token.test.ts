import { expect, it } from '@jest/globals';
import { pageOf, returnPathIn, tokenIn } from './link-token.js';

it('a mailed link opens its page in any letter case, with and without a trailing slash', () => {
  expect(['/dashboard/verify', '/dashboard/Change-Email/', '/dashboard/link'].map(pageOf)).toEqual(['verify', 'change-email', 'link']);
});

it('the token of a mailed link is read from its fragment; other fragments have none', () => {
  expect(tokenIn('#token=abc-DEF_1')).toBe('abc-DEF_1');
  expect(tokenIn('#main')).toBeNull();
  expect(tokenIn('')).toBeNull();
});

it.each([
  ['#token=a', undefined], ['#token=a&return_to=%2Fdashboard%2Fkeys', '/keys'], ['#token=a&return_to=%2Fdashboard%2Fusage%3Fgroup%3Dkey', '/usage?group=key'],
  ['#token=a&return_to=%2Fdashboard', undefined], ['#token=a&return_to=https%3A%2F%2Fevil.example%2Fdashboard%2F', undefined], ['#token=a&return_to=%2Fdashboard%2F%2Fevil.example', undefined],
  ['#token=a&return_to=%2Fdashboardevil', undefined], ['#token=a&return_to=%2Fdashboard%2F..%2Fv1%2Faccount', undefined], ['#token=a&return_to=%2Fdashboard%2F%252e%252e%2Fv1', undefined], ['#token=a&return_to=%2Fdashboard%2F%5Cevil.example', undefined],
])('a person who opened the mailed link %s continues at %s', (hash, path) => {
  expect(returnPathIn(hash)).toBe(path);
});
