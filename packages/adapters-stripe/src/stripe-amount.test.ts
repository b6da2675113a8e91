import { describe, expect, it } from '@jest/globals';
import { parseCurrencyAmount } from '@tollgate/core';
import { amountFromStripe, stripeAmount, stripeAmountOrNull } from './stripe-amount.js';

function unitsOf(text: string, currency: string): bigint {
  return parseCurrencyAmount(text, currency) ?? -1n;
}

describe('amounts at Stripe', () => {
  it.each<readonly [text: string, currency: string, counted: number]>([
    ['10.99', 'USD', 1099], ['10.50', 'HUF', 1050], ['10.50', 'TWD', 1050], ['500', 'JPY', 500], ['500', 'KRW', 500], ['500', 'CLP', 500], ['500', 'XAF', 500], ['500', 'VND', 500],
    ['5', 'ISK', 500], ['5', 'UGX', 500], ['5.00', 'MGA', 5], ['5.120', 'KWD', 5120], ['5.12', 'BHD', 5120],
  ])('express %s %s as %i', (text, currency, counted) => {
    const amount = unitsOf(text, currency);
    expect(stripeAmount({ amount, currency })).toBe(counted);
    expect(amountFromStripe(counted, currency)).toBe(amount);
  });

  it.each([['5.124', 'KWD'], ['0.005', 'JOD'], ['5.50', 'MGA']])('cannot express %s %s, so that the charge is refused', (text, currency) => {
    const money = { amount: unitsOf(text, currency), currency };
    expect(stripeAmountOrNull(money)).toBeNull();
    expect(() => stripeAmount(money)).toThrow(expect.objectContaining({ problem: 'refused' }));
  });

  it('are rounded down to the smallest unit of ISO 4217 when Stripe reports them', () => {
    expect(amountFromStripe(4010, 'ISK')).toBe(40n);
  });
});
