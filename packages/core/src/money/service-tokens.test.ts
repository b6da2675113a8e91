import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { decimalOf, largerOf, ServiceTokens, smallerOf, unitsOf } from './service-tokens.js';

describe('the conversion between decimals and whole units', () => {
  it.each<[string, number, bigint, string]>([
    ['0', 6, 0n, '0'], ['0.000001', 6, 1n, '0.000001'], ['7', 6, 7_000_000n, '7'], ['007.50', 6, 7_500_000n, '7.5'], ['-1.5', 18, -1_500_000_000_000_000_000n, '-1.5'],
    ['-0.000001', 6, -1n, '-0.000001'], ['100', 0, 100n, '100'], ['1000', 6, 1_000_000_000n, '1000'],
  ])('reads %s with %d places as %d units, and prints these units as %s', (text, scale, units, printed) => {
    expect(unitsOf(text, scale)).toBe(units);
    expect(decimalOf(units, scale)).toBe(printed);
  });

  it('prints the same value as big.js', () => {
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.constantFrom(0, 6, 12, 18), (units, scale) => {
      const printed = decimalOf(units, scale);
      const expected = new Big(units.toString()).times(new Big(10).pow(-scale));
      expect(new Big(printed).eq(expected)).toBe(true);
      expect(printed).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/u);
      expect(unitsOf(printed, scale)).toBe(units);
    }));
  });

  it('refuses more decimal places than the scale has', () => {
    expect(() => unitsOf('0.0000001', 6)).toThrow(RangeError);
  });
});

const units = fc.bigInt({ min: 0n, max: 10n ** 21n - 1n });
const signedUnits = fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n });

describe('an amount of service tokens', () => {
  it.each([
    ['0', '0'], ['0.000000', '0'], ['7', '7'], ['007', '7'], ['1.5', '1.5'], ['1.500000', '1.5'], ['0.000001', '0.000001'],
    ['999999999999999.999999', '999999999999999.999999'], ['100', '100'],
  ])('is read from %s and printed as %s', (text, printed) => {
    expect(ServiceTokens.parse(text).toString()).toBe(printed);
  });

  it.each([
    [''], [' 1'], ['1 '], ['-1'], ['+1'], ['1e3'], ['1E-7'], ['.5'], ['5.'], ['1.0000001'], ['1,5'], ['NaN'], ['Infinity'], ['0x10'], ['1_000'],
    ['1000000000000000'], ['1\n'], ['١'],
  ])('is not read from %j', (text) => {
    expect(() => ServiceTokens.parse(text)).toThrow(RangeError);
  });

  it('is printed without exponent and trailing zeros, and read back exactly', () => {
    fc.assert(fc.property(units, (value) => {
      const text = ServiceTokens.fromUnits(value).toString();
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/u);
      expect(ServiceTokens.parse(text).toUnits()).toBe(value);
    }));
  });

  it('is added, subtracted and compared exactly, also below zero', () => {
    fc.assert(fc.property(signedUnits, signedUnits, (a, b) => {
      const [first, second] = [ServiceTokens.fromUnits(a), ServiceTokens.fromUnits(b)];
      expect(first.plus(second).toUnits()).toBe(a + b);
      expect(first.minus(second).toUnits()).toBe(a - b);
      expect([first.isLessThan(second), first.equals(second), first.isNegative(), first.isZero()]).toEqual([a < b, a === b, a < 0n, a === 0n]);
      expect([smallerOf(first, second).toUnits(), largerOf(first, second).toUnits()]).toEqual(a < b ? [a, b] : [b, a]);
    }));
  });

  it('is printed with one sign before the whole part if it is negative', () => {
    expect([-1n, -1_500_000n, -1_000_000n].map((value) => ServiceTokens.fromUnits(value).toString())).toEqual(['-0.000001', '-1.5', '-1']);
  });

  it('is printed as the same text every time, and is immutable', () => {
    const [amount, same] = [ServiceTokens.parse('1.25'), ServiceTokens.parse('1.25')];
    expect([amount.toString(), amount.toString(), amount.plus(amount).toString(), amount.toString()]).toEqual(['1.25', '1.25', '2.5', '1.25']);
    expect(amount).toEqual(same);
  });

  it('is a string in JSON, never a number', () => {
    expect(JSON.stringify({ amount: ServiceTokens.parse('0.1').plus(ServiceTokens.parse('0.2')) })).toBe('{"amount":"0.3"}');
  });
});
