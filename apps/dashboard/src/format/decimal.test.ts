import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { decimalOf, decimalSum, projected, roundedToCents, unitsOf } from './decimal.js';

const decimals = fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }).map(decimalOf);

describe('exact decimals', () => {
  it('survive conversion to integers and back', () => {
    fc.assert(fc.property(decimals, (decimal) => expect(decimalOf(unitsOf(decimal))).toBe(decimal)));
  });

  it('are added without rounding', () => {
    fc.assert(fc.property(fc.array(decimals, { maxLength: 20 }), (list) => expect(new Big(decimalSum(list)).eq(list.reduce((sum, each) => sum.plus(each), new Big(0)))).toBe(true)));
    expect(decimalSum(['0.1', '0.2', '9007199254740993', '0.000000000000000001'])).toBe('9007199254740993.300000000000000001');
  });

  it('are extrapolated from a part of a period to the whole, without floats', () => {
    expect([projected('0.12', 22, 30), projected('9007199254740993', 1, 3), projected('0', 1, 31)]).toEqual(['0.163636363636363636', '27021597764222979', '0']);
  });

  it.each(['', '1e3', '.5', '1.', '0.1234567890123456789', 'NaN'])('refuse %j', (text) => {
    expect(() => unitsOf(text)).toThrow(TypeError);
  });
});

describe('a rounded amount of dollars', () => {
  it.each([
    ['0', '0.00'], ['0.000000', '0.00'], ['5', '5.00'], ['276.349132371', '276.35'], ['-12.345', '-12.35'], ['1.005', '1.01'], ['1.0049999', '1.00'], ['0.01', '0.01'], ['0.014', '0.01'],
    ['0.0069', '0.0069'], ['0.0069499', '0.0069'], ['0.00695', '0.007'], ['0.00996', '0.01'], ['0.00994', '0.0099'], ['-0.00996', '-0.01'], ['0.000166', '0.00017'],
    ['0.000000000000000001', '0.000000000000000001'], ['0.000000000000000012', '0.000000000000000012'], ['0.000000000000000126', '0.00000000000000013'],
    ['999999999999.995', '1000000000000.00'], ['9007199254740993.004', '9007199254740993.00'],
  ])('for the exact amount %s is %s', (amount, rounded) => {
    expect(roundedToCents(amount)).toBe(rounded);
  });

  it('is rounded to the nearest cent, and below a cent to two significant digits', () => {
    fc.assert(fc.property(decimals, (amount) => {
      const [exact, shown] = [new Big(amount), new Big(roundedToCents(amount))];
      const bound = exact.abs().gte('0.01') ? new Big('0.005') : exact.abs().times('0.05');
      expect(shown.minus(exact).abs().lte(bound)).toBe(true);
    }));
  });

  it('is shown as zero only if the exact amount is zero', () => {
    fc.assert(fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map(decimalOf), (amount) => expect(/[1-9]/.test(roundedToCents(amount))).toBe(/[1-9]/.test(amount))));
  });
});
