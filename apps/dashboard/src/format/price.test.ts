import { describe, expect, it } from '@jest/globals';
import { perMillion, priceText, product } from './price.js';

describe('prices', () => {
  it.each([
    ['0.0005', '0.001', '500', '0.5'],
    ['0.003', '0.001', '3000', '3'],
    ['0.000000000000000001', '0.001', '0.000000000001', '0.000000000000001'],
    ['9007199.254740993', '0.00000012', '9007199254740.993', '1080863.91056891916'],
    ['0', '0.001', '0', '0'],
  ])('of %s tokens, each worth %s dollars, are %s tokens and %s dollars a million', (perToken, usd, tokens, dollars) => {
    expect(perMillion(perToken, usd)).toEqual({ tokens, usd: dollars });
  });

  it.each([['3000', '3', '$3 (3,000)'], ['500', '0.5', '$0.50 (500)'], ['50.125', '0.050125', '$0.050125 (50.125)'], ['0', '0', '$0 (0)']])('of %s tokens and %s dollars are shown as %s', (tokens, usd, text) => {
    expect(priceText({ tokens, usd })).toBe(text);
  });

  it('cannot be computed from numbers with an exponent or a sign', () => {
    expect(() => product('1e3', '1')).toThrow(TypeError);
    expect(() => product('-1', '1')).toThrow(TypeError);
  });
});
