import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { aPrice } from '@tollgate/testkit';
import { tokenCount } from '../primitives/token-count.js';
import { chargeFor } from './charge.js';
import { costOfMillion, parsePriceFactor, parseTokenRate, type PriceFactor, scaledRate, type TokenRate } from './token-rate.js';
import { NO_USAGE } from './usage.js';

const USD = parseTokenRate('0.000123456789');

function decimal(maximum: bigint, places: number): fc.Arbitrary<string> {
  return fc.bigInt({ min: 0n, max: maximum }).map((units) => new Big(units.toString()).div(new Big(10).pow(places)).toFixed());
}

const rates: fc.Arbitrary<TokenRate> = fc.oneof(decimal(10n ** 15n, 12), decimal(10n ** 6n, 12)).map(parseTokenRate);
const factors: fc.Arbitrary<PriceFactor> = fc.oneof(decimal(10n ** 6n, 6), decimal(10n ** 9n - 1n, 6)).map(parsePriceFactor);
const counts = fc.integer({ min: 0, max: 2_000_000 });

describe('a rate times a factor', () => {
  it('is the exact product, in plain decimals', () => {
    fc.assert(fc.property(rates, factors, (rate, factor) => {
      const product = scaledRate(rate, factor);
      expect(new Big(product).eq(new Big(rate).times(factor))).toBe(true);
      expect(product).toMatch(/^\d+(\.\d*[1-9])?$/u);
    }), { numRuns: 500 });
  });

  it('is rounded only in the charge: once, up to a whole micro-token', () => {
    fc.assert(fc.property(rates, rates, factors, counts, counts, (prompt, output, factor, read, written) => {
      const price = { ...aPrice('0', '0', '0', '0'), promptToken: scaledRate(prompt, factor), outputToken: scaledRate(output, factor) };
      const usage = { ...NO_USAGE, uncachedPromptTokens: tokenCount(read), visibleOutputTokens: tokenCount(written) };
      const exact = new Big(prompt).times(read).plus(new Big(output).times(written)).times(factor);
      expect(chargeFor(usage, price, USD).amount.toString()).toBe(exact.round(6, 3).toFixed());
    }), { numRuns: 500 });
  });

  it.each([['0.0000001'], ['-1'], ['1e3'], ['1000'], [''], ['1.'], ['.5']])('is refused for the factor %j', (text) => {
    expect(() => parsePriceFactor(text)).toThrow(RangeError);
  });
});

it('the cost of a million tokens is stated exactly, even at the smallest rate and factor', () => {
  const rate = scaledRate(parseTokenRate('0.000000000001'), parsePriceFactor('0.000001'));
  expect(rate).toBe('0.000000000000000001');
  expect(costOfMillion(rate, parseTokenRate('0.5'))).toEqual({ svcTokens: '0.000000000001', usd: '0.0000000000005' });
});
