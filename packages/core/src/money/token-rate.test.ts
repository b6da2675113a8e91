import { describe, expect, it } from '@jest/globals';
import { decimalOf } from './service-tokens.js';
import { parseTokenRate, RATE_SCALE, RATE_UNIT_SCALE, rateUnits } from './token-rate.js';

describe('a rate', () => {
  it.each([['0.0000000000001'], ['-1'], ['1e-6'], [''], ['1.'], ['1000000000']])('is not read from %j', (text) => {
    expect(() => parseTokenRate(text)).toThrow(RangeError);
  });

  it('is printed without an exponent, however small', () => {
    expect([parseTokenRate('0.000000000001'), parseTokenRate('2.50'), parseTokenRate('010')]).toEqual(['0.000000000001', '2.5', '10']);
  });
});

it('every rate is converted to units exactly, whether the conversion is cached or not', () => {
  const units = Array.from({ length: 2_500 }, (_none, position) => BigInt(position) ** 4n);
  const rates = units.map((of) => parseTokenRate(decimalOf(of, RATE_SCALE)));
  for (const rate of [rates, rates.toReversed(), rates].flat()) expect(decimalOf(rateUnits(rate), RATE_UNIT_SCALE)).toBe(rate);
});
