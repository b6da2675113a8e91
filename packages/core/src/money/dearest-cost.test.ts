import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Counts, counts, priceOf, rates, USD, usageOf } from '../test-support/arbitrary-usage.js';
import { chargeFor } from './charge.js';
import { dearestCost } from './dearest-cost.js';

describe('the dearest cost of a prompt and an output', () => {
  it('is never below the charge of any split of that prompt and output', () => {
    fc.assert(fc.property(counts, rates, (used, given) => {
      const [uncached, cached, creation, reasoning, visible] = used;
      const price = priceOf(given);
      const dearest = dearestCost(uncached + cached + creation, reasoning + visible, price);
      expect(dearest.isLessThan(chargeFor(usageOf(used), price, USD).amount)).toBe(false);
    }));
  });

  it('equals the charge of the dearest split', () => {
    fc.assert(fc.property(counts, rates, (used, given) => {
      const [prompt, , , , output] = used;
      const price = priceOf(given);
      const splits: readonly Counts[] = [[prompt, 0, 0, 0, output], [0, prompt, 0, 0, output], [0, 0, prompt, 0, output]];
      const charged = splits.map((split) => chargeFor(usageOf(split), price, USD).amount.toUnits());
      expect(charged).toContain(dearestCost(prompt, output, price).toUnits());
    }));
  });
});
