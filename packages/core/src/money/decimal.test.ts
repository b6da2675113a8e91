import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { decimalOf, unitsOf } from './decimal.js';

describe('decimals as whole units', () => {
  it.each<[string, number, bigint, string]>([
    ['0', 6, 0n, '0'], ['0.000001', 6, 1n, '0.000001'], ['7', 6, 7_000_000n, '7'], ['007.50', 6, 7_500_000n, '7.5'], ['-1.5', 18, -1_500_000_000_000_000_000n, '-1.5'],
    ['-0.000001', 6, -1n, '-0.000001'], ['100', 0, 100n, '100'], ['1000', 6, 1_000_000_000n, '1000'],
  ])('%s with %d places is %d units and printed as %s', (text, scale, units, printed) => {
    expect(unitsOf(text, scale)).toBe(units);
    expect(decimalOf(units, scale)).toBe(printed);
  });

  it('print what big.js prints', () => {
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.constantFrom(0, 6, 12, 18), (units, scale) => {
      const printed = decimalOf(units, scale);
      const expected = new Big(units.toString()).times(new Big(10).pow(-scale));
      expect(new Big(printed).eq(expected)).toBe(true);
      expect(printed).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/u);
      expect(unitsOf(printed, scale)).toBe(units);
    }));
  });

  it('have no more places than they can be counted in', () => {
    expect(() => unitsOf('0.0000001', 6)).toThrow(RangeError);
  });
});
