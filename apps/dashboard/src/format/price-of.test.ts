import { expect, it } from '@jest/globals';
import { priceOf } from './price-of.js';

it.each([['5.00', 'USD', '5.00 USD'], ['1234567.10', 'EUR', '1,234,567.10 EUR'], ['1000', 'JPY', '1,000 JPY'], ['999.125', 'BHD', '999.125 BHD']])('the price of %s in %s is shown as %s', (amount, currency, shown) => {
  expect(priceOf({ amount, currency })).toBe(shown);
});
