import { aPrice } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { Price } from '../money/price.js';
import { parseTokenRate, RATE_SCALE } from '../money/token-rate.js';
import { NO_USAGE, type Usage } from '../money/usage.js';
import { tokenCount } from '../primitives/token-count.js';

/** Not 1, to detect swapped currencies. */
export const USD = parseTokenRate('0.000123456789');
export const SCALE_BETWEEN = 10n ** BigInt(RATE_SCALE - 6);

export type Counts = readonly [uncached: number, cached: number, creation: number, reasoning: number, visible: number];

export function usageOf([uncached, cached, creation, reasoning, visible]: Counts): Usage {
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
export const rates = fc.tuple(rateUnits, rateUnits, rateUnits, rateUnits);
const count = fc.integer({ min: 0, max: 2_000_000 });
export const counts: fc.Arbitrary<Counts> = fc.tuple(count, count, count, count, count);

function decimalOf(value: bigint): string {
  const digits = value.toString().padStart(RATE_SCALE + 1, '0');
  return `${digits.slice(0, -RATE_SCALE)}.${digits.slice(-RATE_SCALE)}`;
}

export function priceOf([prompt, cached, creation, output]: readonly [bigint, bigint, bigint, bigint]): Price {
  return aPrice(decimalOf(prompt), decimalOf(cached), decimalOf(creation), decimalOf(output));
}

/** Count × rate, in 10⁻¹² service tokens. */
export function exactly([uncached, cached, creation, reasoning, visible]: Counts, [p, h, c, o]: readonly [bigint, bigint, bigint, bigint]): bigint {
  return BigInt(uncached) * p + BigInt(cached) * h + BigInt(creation) * c + BigInt(reasoning + visible) * o;
}
