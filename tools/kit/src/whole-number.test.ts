import { expect, it } from '@jest/globals';
import { wholeNumber } from './whole-number.js';

it.each([['0', 0], ['007', 7], ['4294967295', 4_294_967_295]])('an option with a whole number accepts %s', (text, value) => {
  expect(wholeNumber('--seed', text, 2 ** 32 - 1)).toBe(value);
});

it.each(['', ' 1', '-1', '1.5', '1e3', '0x10', '4294967296', '12345678901'])('an option with a whole number refuses "%s", and the error names the option', (text) => {
  expect(() => wholeNumber('--seed', text, 2 ** 32 - 1)).toThrow(`--seed must be a whole number up to 4294967295, not ${text}`);
});
