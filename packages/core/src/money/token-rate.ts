import { Big } from 'big.js';
import type { Brand } from '../primitives/brand.js';
import { unitsOf } from './service-tokens.js';

/**
 * Plain decimal: service tokens per model token, or US dollars per service token. A price factor adds up to six decimal places to the twelve of a
 * written rate.
 */
export type TokenRate = Brand<string, 'TokenRate'>;

/** Decimal places of a written rate. */
export const RATE_SCALE = 12;
const RATE_PATTERN = /^\d{1,9}(\.\d{1,12})?$/;

/** Accepts a plain non-negative decimal with at most nine digits before the point and twelve after it; else throws `RangeError`. */
export function parseTokenRate(text: string): TokenRate {
  if (!RATE_PATTERN.test(text)) throw new RangeError(`not a rate: ${JSON.stringify(text)}`);
  return new Big(text).toFixed() as TokenRate;
}

/** Plain decimal that multiplies rates. */
export type PriceFactor = Brand<string, 'PriceFactor'>;

export const FACTOR_SCALE = 6;
const FACTOR_PATTERN = /^\d{1,3}(\.\d{1,6})?$/;

/** Accepts a plain non-negative decimal with at most three digits before the point and six after it; else throws `RangeError`. */
export function parsePriceFactor(text: string): PriceFactor {
  if (!FACTOR_PATTERN.test(text)) throw new RangeError(`not a factor: ${JSON.stringify(text)}`);
  return new Big(text).toFixed() as PriceFactor;
}

/** Exact, without rounding. `rate` must be a written rate. */
export function scaledRate(rate: TokenRate, factor: PriceFactor): TokenRate {
  return new Big(rate).times(factor).toFixed() as TokenRate;
}

/** Decimal places of any rate, written or scaled. */
export const RATE_UNIT_SCALE = RATE_SCALE + FACTOR_SCALE;

/** Maximum rates in the cache; a full cache is emptied. */
const RATES_KEPT = 1_000;
const unitsByRate = new Map<TokenRate, bigint>();

/** The rate in units of 10⁻¹⁸, exact. */
export function rateUnits(rate: TokenRate): bigint {
  const known = unitsByRate.get(rate);
  if (known !== undefined) return known;
  const units = unitsOf(rate, RATE_UNIT_SCALE);
  if (unitsByRate.size >= RATES_KEPT) unitsByRate.clear();
  unitsByRate.set(rate, units);
  return units;
}

const MILLION = 1_000_000;

/** Cost of a million model tokens, in service tokens and in US dollars; exact, plain decimals. */
export function costOfMillion(rate: TokenRate, usdPerServiceToken: TokenRate): { readonly svcTokens: string; readonly usd: string } {
  const svcTokens = new Big(rate).times(MILLION);
  return { svcTokens: svcTokens.toFixed(), usd: svcTokens.times(usdPerServiceToken).toFixed() };
}
