import { describe, expect, it } from '@jest/globals';
import { parseTokenRate } from '../money/token-rate.js';
import { simulatedOffer, tokensForAmount } from './credit-offer.js';

describe('tokensForAmount', () => {
  it.each([
    ['USD', '1000', 1050n, '10500'], ['USD', '0.333333333333', 100n, '0.333333'], ['JPY', '10', 150n, '1500'], ['BHD', '1', 1n, '0.001'],
  ])('for %s at a rate of %s turns %s minor units into %s tokens', (currency, rate, amount, tokens) => {
    expect(tokensForAmount({ currency, rate: parseTokenRate(rate) }, amount).toString()).toBe(tokens);
  });
});

describe('simulatedOffer', () => {
  it('offers tokens at their value in US dollars', () => {
    const { packages, custom } = simulatedOffer(parseTokenRate('0.001'));
    expect(packages.map(({ id, amount, tokens }) => `${id}: ${amount} for ${tokens.toString()}`)).toEqual(['simulated-5: 500 for 5000', 'simulated-20: 2000 for 20000', 'simulated-100: 10000 for 100000']);
    expect(custom).toEqual({ currency: 'USD', min: 100n, max: 100_000n, rate: '1000' });
  });

  it('offers nothing if tokens have no value', () => {
    expect(simulatedOffer(parseTokenRate('0'))).toEqual({ packages: [], custom: null });
  });
});
