import { expect, it } from '@jest/globals';
import { returnAddress } from './return-address.js';

it.each(['/keys', '/usage?model=a&day=2026-11-22', '/operator/live'])('goes back to %s', (to) => {
  expect(returnAddress(to)).toBe(to);
});

it.each([undefined, '', '/', '//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/sign-in?to=/keys'])('goes nowhere for %s', (to) => {
  expect(returnAddress(to)).toBeNull();
});
