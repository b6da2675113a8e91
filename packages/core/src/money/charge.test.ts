import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aPrice } from '@tollgate/testkit';
import { type Counts, counts, exactly, priceOf, rates, SCALE_BETWEEN, USD, usageOf } from '../test-support/arbitrary-usage.js';
import { chargeFor } from './charge.js';
import { TOKEN_COUNTS } from './token-classes.js';

describe('a charge', () => {
  it.each<readonly [name: string, counts: Partial<Counts>, amount: string, usd: string]>([
    ['no usage', {}, '0', '0'],
    ['exact to the last place', { uncachedPromptTokens: 1000 }, '1.5', '0.0001851851835'],
    ['a single token', { uncachedPromptTokens: 1 }, '0.0015', '0.0000001851851835'],
    ['several classes', { uncachedPromptTokens: 1, cachedPromptTokens: 1, cacheCreationTokens: 1, reasoningTokens: 1, visibleOutputTokens: 1 }, '0.022663', '0.000002797901209107'],
  ])('is the sum over the classes, rounded up once: %s', (_name, used, amount, usd) => {
    const price = aPrice('0.0015', '0.0001625', '0.001', '0.01');
    const charge = chargeFor(usageOf(used), price, USD);
    expect([charge.amount.toString(), charge.usd.toString()]).toEqual([amount, usd]);
  });

  it('is the exact sum rounded up to the next unit: never less, never a whole unit more', () => {
    fc.assert(fc.property(counts, rates, (used, given) => {
      const exact = exactly(used, given);
      const units = chargeFor(usageOf(used), priceOf(given), USD).amount.toUnits();
      expect(units).toBe((exact + SCALE_BETWEEN - 1n) / SCALE_BETWEEN);
    }), { numRuns: 500 });
  });

  it('never decreases if a token is added to a class', () => {
    fc.assert(fc.property(counts, rates, fc.constantFrom(...TOKEN_COUNTS), (used, given, { field }) => {
      const more = { ...used, [field]: used[field] + 1 };
      const price = priceOf(given);
      expect(chargeFor(usageOf(more), price, USD).amount.isLessThan(chargeFor(usageOf(used), price, USD).amount)).toBe(false);
    }));
  });

  it('is worth exactly amount × rate in US dollars', () => {
    fc.assert(fc.property(counts, rates, (used, given) => {
      const { amount, usd } = chargeFor(usageOf(used), priceOf(given), USD);
      const exact = amount.toUnits() * 123_456_789n;
      const [whole = '', fraction = ''] = usd.toString().split('.');
      expect(BigInt(whole + fraction.padEnd(18, '0'))).toBe(exact);
      expect(usd.toString()).toMatch(/^\d+(\.\d*[1-9])?$/u);
    }));
  });
});
