import { expect, it } from '@jest/globals';
import { returnAddress, returnAfterFactor } from './return-address.js';

it.each(['/keys', '/usage?model=a&day=2026-11-22', '/operator/live'])('goes back to %s', (to) => {
  expect(returnAddress(to)).toBe(to);
});

it.each([undefined, '', '/', '//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/sign-in?to=/keys'])('goes nowhere for %s', (to) => {
  expect(returnAddress(to)).toBeNull();
});

it('goes back to the kept address after a second factor that an issuer\'s sign-in needs, and to the page itself otherwise', () => {
  expect(returnAfterFactor('/', '/keys')).toBe('/keys');
  expect(returnAfterFactor('/', '//evil.example')).toBe('/');
  expect(returnAfterFactor('/', undefined)).toBe('/');
  expect(returnAfterFactor('/usage?model=a', '/keys')).toBe('/usage?model=a');
});
