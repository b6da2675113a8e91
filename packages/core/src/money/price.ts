import { Big } from 'big.js';
import type { Brand } from '../ids.js';
import { ServiceTokens, unitsOf } from './service-tokens.js';

/** Service tokens per model token, or USD per service token: a plain decimal string, so that no float is involved. */
export type TokenRate = Brand<string, 'TokenRate'>;

/** Decimal places a rate may have. */
export const RATE_SCALE = 12;
const RATE_PATTERN = /^\d{1,9}(\.\d{1,12})?$/;

/** Reads a plain non-negative decimal with at most twelve places; throws `RangeError` on anything else. */
export function parseTokenRate(text: string): TokenRate {
  if (!RATE_PATTERN.test(text)) throw new RangeError(`not a rate: ${JSON.stringify(text)}`);
  return new Big(text).toFixed() as TokenRate;
}

/** The rates of all models are few; when one catalogue follows the other, what is kept of them starts over. */
const RATES_KEPT = 1_000;
const unitsByRate = new Map<TokenRate, bigint>();

/** A rate as a whole number of 10⁻¹² per token: exact, and what a request is reckoned in. */
export function rateUnits(rate: TokenRate): bigint {
  const known = unitsByRate.get(rate);
  if (known !== undefined) return known;
  const units = unitsOf(rate, RATE_SCALE);
  if (unitsByRate.size >= RATES_KEPT) unitsByRate.clear();
  unitsByRate.set(rate, units);
  return units;
}

/** Service tokens charged per model token, by token class. The classes are disjoint. */
export interface Price {
  readonly promptToken: TokenRate;
  readonly cachedPromptToken: TokenRate;
  readonly cacheCreationToken: TokenRate;
  readonly outputToken: TokenRate;
}

/** The dearest rate a prompt token may turn out to be charged at, in 10⁻¹² service tokens; what a reservation must assume. */
export function dearestPromptUnits({ promptToken, cachedPromptToken, cacheCreationToken }: Price): bigint {
  let dearest = rateUnits(promptToken);
  for (const rate of [cachedPromptToken, cacheCreationToken]) {
    const units = rateUnits(rate);
    if (units > dearest) dearest = units;
  }
  return dearest;
}

/** What a million tokens cost at a rate: exact, since a rate has six decimal places more than an amount. */
export function costOfMillion(rate: TokenRate): ServiceTokens {
  return ServiceTokens.fromUnits(rateUnits(rate));
}
