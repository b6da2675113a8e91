import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { counts, priceOf, rates, USD, usageOf } from '../test-support/arbitrary-usage.js';
import { chargeFor } from './charge.js';
import { dearestCost } from './dearest-cost.js';
import { PROMPT_COUNTS } from './token-classes.js';
import { outputTokensOf, promptTokensOf } from './usage.js';

describe('the dearest cost of a prompt and an output', () => {
  it('is never below the charge of any split of the two into token classes', () => {
    fc.assert(fc.property(counts, rates, (used, given) => {
      const usage = usageOf(used);
      const price = priceOf(given);
      const dearest = dearestCost(promptTokensOf(usage), outputTokensOf(usage), price);
      expect(dearest.isLessThan(chargeFor(usage, price, USD).amount)).toBe(false);
    }));
  });

  it('equals the charge of the dearest split', () => {
    fc.assert(fc.property(counts, rates, (used, given) => {
      const { uncachedPromptTokens: prompt, visibleOutputTokens } = used;
      const price = priceOf(given);
      const charged = PROMPT_COUNTS.map(({ field }) => chargeFor(usageOf({ [field]: prompt, visibleOutputTokens }), price, USD).amount.toUnits());
      expect(charged).toContain(dearestCost(prompt, visibleOutputTokens, price).toUnits());
    }));
  });
});
