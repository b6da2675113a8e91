import * as fc from 'fast-check';
import type { Price } from '../money/price.js';
import { type CountField, perCount, perRate, type RateField, TOKEN_CLASSES } from '../money/token-classes.js';
import { parseTokenRate, RATE_SCALE } from '../money/token-rate.js';
import { NO_USAGE, type Usage } from '../money/usage.js';
import { tokenCount } from '../primitives/token-count.js';

/** Not 1, to detect swapped currencies. */
export const USD = parseTokenRate('0.000123456789');
export const SCALE_BETWEEN = 10n ** BigInt(RATE_SCALE - 6);

export type Counts = Readonly<Record<CountField, number>>;
/** In 10⁻¹² service tokens. */
export type Rates = Readonly<Record<RateField, bigint>>;

/** Counts that are left out are 0. */
export function usageOf(counts: Partial<Counts>): Usage {
  return { ...NO_USAGE, ...perCount(({ field }) => tokenCount(counts[field] ?? 0)) };
}

export const rates: fc.Arbitrary<Rates> = fc.record(perRate(() => fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 10n ** 7n }))));
export const counts: fc.Arbitrary<Counts> = fc.record(perCount(() => fc.integer({ min: 0, max: 2_000_000 })));

function decimalOf(value: bigint): string {
  const digits = value.toString().padStart(RATE_SCALE + 1, '0');
  return `${digits.slice(0, -RATE_SCALE)}.${digits.slice(-RATE_SCALE)}`;
}

export function priceOf(given: Rates): Price {
  return perRate(({ field }) => parseTokenRate(decimalOf(given[field])));
}

/** Count × rate, in 10⁻¹² service tokens. */
export function exactly(used: Counts, given: Rates): bigint {
  return TOKEN_CLASSES.reduce((total, { counts: ofClass, rate }) => ofClass.reduce((sum, { field }) => sum + BigInt(used[field]) * given[rate.field], total), 0n);
}
