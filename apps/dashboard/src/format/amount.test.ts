import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { amountOf, columnParts, dollars, exactAmount, isZero, microUnits, roundedDollars, sumOf, tileParts, typedAmount } from './amount.js';

/** Amounts with up to 18 decimal places. */
const amounts = fc.tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 13n - 1n }), fc.stringMatching(/^\d{0,18}$/))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);
const serviceTokens = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(amountOf);

/** Parses displayed text: removes grouping and typographic signs. */
function read(text: string): Big {
  return new Big(text.replaceAll(/[,$]/g, '').replace('−', '-'));
}

describe('every form of an amount', () => {
  it.each<[string, (amount: string) => string]>([
    ['plain', exactAmount], ['in dollars', dollars],
    ['in a tile', (amount) => { const { main, muted } = tileParts(amount); return main + muted; }],
    ['in a column', (amount) => { const { main, muted } = columnParts(amount); return main + muted; }],
  ])('%s reads as the amount of the API, digit for digit', (_form, write) => {
    fc.assert(fc.property(amounts, (amount) => expect(read(write(amount)).eq(new Big(amount))).toBe(true)));
  });

  it.each([
    ['0', '0', '$0.00', '0|', '0|.000000'],
    ['0.000001', '0.000001', '$0.000001', '0.00|0001', '0.000001|'],
    ['998412.640118', '998,412.640118', '$998,412.640118', '998,412.64|0118', '998,412.640118|'],
    ['9007199254.740993', '9,007,199,254.740993', '$9,007,199,254.740993', '9,007,199,254.74|0993', '9,007,199,254.740993|'],
    ['-12.5', '−12.5', '−$12.50', '−12.5|', '−12.5|00000'],
  ])('shows %s with the designed signs, separators and places', (amount, plain, usd, tile, column) => {
    const [inTile, inColumn] = [tileParts(amount), columnParts(amount)];
    expect([exactAmount(amount), dollars(amount), `${inTile.main}|${inTile.muted}`, `${inColumn.main}|${inColumn.muted}`]).toEqual([plain, usd, tile, column]);
  });
});

it.each(['', '1,5', '1e5', 'NaN', '.5', '5.', '--1'])('the plain form refuses the amount %j', (text) => {
  expect(() => exactAmount(text)).toThrow(TypeError);
});

describe('sums of service tokens', () => {
  it('are exact', () => {
    fc.assert(fc.property(fc.array(serviceTokens, { maxLength: 20 }), (list) => expect(new Big(sumOf(list)).eq(list.reduce((sum, amount) => sum.plus(amount), new Big(0)))).toBe(true)));
  });

  it('convert to micro-units and back', () => {
    fc.assert(fc.property(serviceTokens, (amount) => expect(amountOf(microUnits(amount))).toBe(amount)));
    expect([isZero('0.000000'), isZero('0.000001')]).toEqual([true, false]);
  });
});

it('typed amounts are parsed, and other texts refused', () => {
  expect(['500', ' 1,234.5 ', '1 000 000', '-0.000001'].map((text) => typedAmount(text))).toEqual(['500', '1234.5', '1000000', '-0.000001']);
  expect(['', 'five', '1,5', '1.2345678', '1e3', '.5'].map((text) => typedAmount(text))).toEqual([null, null, null, null, null, null]);
});

it.each([
  ['12,50', '12.50'], ['1.234,5', '1234.5'], ['1.234', '1234'], ['12.5', '12.5'], ['1 234 567,000001', '1234567.000001'], ['0.0005', '0.0005'], ['-3,25', '-3.25'],
  ['1.234.567', '1234567'], ['1,2,3', null], ['12,3456789', null], ['zwölf', null],
])('the amount %s is parsed as typed where the comma is the decimal point', (text, amount) => {
  expect(typedAmount(text, { decimalPoint: ',', groupSeparator: '.' })).toBe(amount);
});

it('dollars are shown rounded to cents, and below a cent to two significant digits', () => {
  expect(['0', '0.0069499', '1234567.005', '-0.001'].map(roundedDollars)).toEqual(['$0.00', '$0.0069', '$1,234,567.01', '−$0.001']);
});
