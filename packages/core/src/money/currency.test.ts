import { describe, expect, it } from '@jest/globals';
import { currencyDecimal, decimalsOf, isCurrency, parseCurrencyAmount } from './currency.js';

describe('parsing amounts of a currency', () => {
  it.each<readonly [text: string, currency: string, units: bigint, shown: string]>([
    ['10', 'USD', 1000n, '10.00'],
    ['10.00', 'USD', 1000n, '10.00'],
    ['0.1', 'EUR', 10n, '0.10'],
    ['500', 'JPY', 500n, '500'],
    ['1.234', 'BHD', 1234n, '1.234'],
    ['2.5', 'CLF', 25_000n, '2.5000'],
    ['999999999999.99', 'USD', 99_999_999_999_999n, '999999999999.99'],
  ])('reads %s %s', (text, currency, units, shown) => {
    expect(parseCurrencyAmount(text, currency)).toBe(units);
    expect(currencyDecimal({ amount: units, currency })).toBe(shown);
  });

  it.each([['1.5', 'JPY'], ['1.001', 'USD'], ['-1', 'USD'], ['1e3', 'USD'], ['', 'USD'], ['.5', 'USD'], ['1234567890123', 'USD']])('refuses %p %s', (text, currency) => {
    expect(parseCurrencyAmount(text, currency)).toBeNull();
  });

  it('agrees with the locale data on the decimals of common currencies', () => {
    for (const currency of ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'KRW', 'BHD', 'KWD', 'INR', 'BRL']) {
      expect(isCurrency(currency)).toBe(true);
      expect(decimalsOf(currency)).toBe(new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits);
    }
    expect(isCurrency('usd')).toBe(false);
    expect(isCurrency('XXY')).toBe(false);
  });
});
