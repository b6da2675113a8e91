import { expect, it } from '@jest/globals';
import { returnAddress, returnAfterFactor } from './return-address.js';

it.each(['/keys', '/usage?model=a&day=2026-11-22', '/operator/live'])('sign-in returns to %s', (to) => {
  expect(returnAddress(to)).toBe(to);
});

it.each([undefined, '', '/', '//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/sign-in?to=/keys', '/../v1/account', '/keys/../../v1', '/%2e%2e/v1'])('sign-in does not return to %s', (to) => {
  expect(returnAddress(to)).toBeNull();
});

it('sign-in at an issuer returns to the stored address if the start page is open, otherwise to the open page', () => {
  expect(returnAfterFactor('/', '/keys')).toBe('/keys');
  expect(returnAfterFactor('/', '//evil.example')).toBe('/');
  expect(returnAfterFactor('/', undefined)).toBe('/');
  expect(returnAfterFactor('/usage?model=a', '/keys')).toBe('/usage?model=a');
});
