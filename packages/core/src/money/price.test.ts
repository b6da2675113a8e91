import { expect, it } from '@jest/globals';
import { parseTokenRate, RATE_SCALE, RATE_UNIT_SCALE, rateUnits } from './price.js';
import { decimalOf } from './service-tokens.js';

it('converts every rate to units, cached or not', () => {
  const units = Array.from({ length: 2_500 }, (_none, position) => BigInt(position) ** 4n);
  const rates = units.map((of) => parseTokenRate(decimalOf(of, RATE_SCALE)));
  for (const rate of [rates, rates.toReversed(), rates].flat()) expect(decimalOf(rateUnits(rate), RATE_UNIT_SCALE)).toBe(rate);
});
