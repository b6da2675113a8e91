import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from './service-tokens.js';
import { parseTokenRate } from './token-rate.js';
import { UsdAmount } from './usd-amount.js';

describe('an amount of US dollars', () => {
  it.each([
    ['12.5', '0.0001', '0.00125'],
    ['0.000001', '0.000000000001', '0.000000000000000001'],
    ['999999999999999.999999', '999999999.999999999999', '999999999999999999998000.000000000000000001'],
    ['0', '0.0001', '0'],
  ])('states exactly what %s service tokens at %s are worth: %s', (amount, rate, usd) => {
    const worth = UsdAmount.worthOf(ServiceTokens.parse(amount), parseTokenRate(rate));
    expect(worth.toString()).toBe(usd);
    expect(UsdAmount.parse(usd).equals(worth)).toBe(true);
    expect(JSON.stringify({ worth })).toBe(`{"worth":"${usd}"}`);
  });

  it.each([['1e3'], ['.5'], ['1,5'], ['']])('is not read from %j', (text) => {
    expect(() => UsdAmount.parse(text)).toThrow(RangeError);
  });
});
