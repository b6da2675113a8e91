import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aPrice } from '@tollgate/testkit';
import { type TokenCount, tokenCount } from '../primitives/primitives.js';
import { chargeFor, dearestCost, parseTokenRate, type Price, RATE_SCALE, UsdAmount } from './price.js';
import { ServiceTokens } from './service-tokens.js';
import { NO_USAGE, type Usage } from './usage.js';

describe('an amount of US dollars', () => {
  it.each([
    ['12.5', '0.0001', '0.00125'],
    ['0.000001', '0.000000000001', '0.000000000000000001'],
    ['999999999999999.999999', '999999999.999999999999', '999999999999999999998000.000000000000000001'],
    ['0', '0.0001', '0'],
  ])('%s service tokens at %s are worth %s, exactly', (amount, rate, usd) => {
    const worth = UsdAmount.worthOf(ServiceTokens.parse(amount), parseTokenRate(rate));
    expect(worth.toString()).toBe(usd);
    expect(UsdAmount.parse(usd).equals(worth)).toBe(true);
    expect(JSON.stringify({ worth })).toBe(`{"worth":"${usd}"}`);
  });

  it.each([['1e3'], ['.5'], ['1,5'], ['']])('refuses %j', (text) => {
    expect(() => UsdAmount.parse(text)).toThrow(RangeError);
  });
});

/** Not 1, to detect swapped currencies. */
const USD = parseTokenRate('0.000123456789');
const SCALE_BETWEEN = 10n ** BigInt(RATE_SCALE - 6);

type Counts = readonly [uncached: number, cached: number, creation: number, reasoning: number, visible: number];

function usageOf([uncached, cached, creation, reasoning, visible]: Counts): Usage {
  return {
    ...NO_USAGE,
    uncachedPromptTokens: tokenCount(uncached),
    cachedPromptTokens: tokenCount(cached),
    cacheCreationTokens: tokenCount(creation),
    reasoningTokens: tokenCount(reasoning),
    visibleOutputTokens: tokenCount(visible),
  };
}

/** In 10⁻¹² service tokens. */
const rateUnits = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 10n ** 7n }));
const rates = fc.tuple(rateUnits, rateUnits, rateUnits, rateUnits);
const count = fc.integer({ min: 0, max: 2_000_000 });
const counts: fc.Arbitrary<Counts> = fc.tuple(count, count, count, count, count);

function decimalOf(value: bigint): string {
  const digits = value.toString().padStart(RATE_SCALE + 1, '0');
  return `${digits.slice(0, -RATE_SCALE)}.${digits.slice(-RATE_SCALE)}`;
}

function priceOf([prompt, cached, creation, output]: readonly [bigint, bigint, bigint, bigint]): Price {
  return aPrice(decimalOf(prompt), decimalOf(cached), decimalOf(creation), decimalOf(output));
}

/** Count × rate, in 10⁻¹² service tokens. */
function exactly([uncached, cached, creation, reasoning, visible]: Counts, [p, h, c, o]: readonly [bigint, bigint, bigint, bigint]): bigint {
  return BigInt(uncached) * p + BigInt(cached) * h + BigInt(creation) * c + BigInt(reasoning + visible) * o;
}

describe('a charge', () => {
  it.each<readonly [name: string, counts: Counts, amount: string, usd: string]>([
    ['nothing used', [0, 0, 0, 0, 0], '0', '0'],
    ['exact to the last place', [1000, 0, 0, 0, 0], '1.5', '0.0001851851835'],
    ['a rest below one unit', [1, 0, 0, 0, 0], '0.0015', '0.0000001851851835'],
    ['one of each class', [1, 1, 1, 1, 1], '0.022663', '0.000002797901209107'],
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

  it('never decreases when a class increases', () => {
    fc.assert(fc.property(counts, rates, fc.integer({ min: 0, max: 4 }), (used, given, position) => {
      const more = used.with(position, (used[position] ?? 0) + 1) as unknown as Counts;
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

describe('a rate', () => {
  it.each([['0.0000000000001'], ['-1'], ['1e-6'], [''], ['1.'], ['1000000000']])('refuses %j', (text) => {
    expect(() => parseTokenRate(text)).toThrow(RangeError);
  });

  it('is printed plain, however small', () => {
    expect([parseTokenRate('0.000000000001'), parseTokenRate('2.50'), parseTokenRate('010')]).toEqual(['0.000000000001', '2.5', '10']);
  });
});

describe('a count of tokens', () => {
  it.each([[-1], [0.5], [Number.NaN], [Infinity], [2 ** 53]])('refuses %d', (value) => {
    expect(() => tokenCount(value)).toThrow(RangeError);
  });

  it('takes whole numbers from zero', () => {
    expect([tokenCount(0), tokenCount(128_000)]).toEqual([0 as TokenCount, 128_000 as TokenCount]);
  });
});
