import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decimalOf, unitsOf } from './decimal.js';
import { tokensWorth } from './tokens-worth.js';
import { product } from './price.js';

it.each([
  ['5', '0.001', '5000'],
  ['0.000001', '0.001', '0.001'],
  ['5', '0.003', '1666.666666'],
  ['0.0000001', '1', '0'],
  ['123456789012.123456', '0.001', '123456789012123.456'],
])('%s dollars, with tokens worth %s dollars each, are %s service tokens', (usd, rate, tokens) => {
  expect(tokensWorth(usd, rate)).toBe(tokens);
});

it('the worth of dollars in service tokens is rounded down, by less than a millionth of a token', () => {
  const decimal = (most: bigint) => fc.bigInt({ min: 1n, max: most }).map((micro) => decimalOf(micro * 10n ** 12n));
  fc.assert(fc.property(decimal(10n ** 15n), decimal(10n ** 9n), (usd, rate) => {
    const left = unitsOf(usd) - unitsOf(product(tokensWorth(usd, rate), rate));
    expect(left >= 0n && left < unitsOf(product(rate, '0.000001'))).toBe(true);
  }));
});
