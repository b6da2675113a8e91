import { chargeFor } from '../money/charge.js';
import type { Price } from '../money/price.js';
import type { TokenRate } from '../money/token-rate.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { perRate } from '../money/token-classes.js';
import { NO_USAGE, type Usage } from '../money/usage.js';
import { tokenCount } from '../primitives/token-count.js';

/** Whole, non-negative numbers of the units that have a price, such as pages read and words found. */
export interface WorkUnits {
  readonly inputUnits: number;
  readonly outputUnits: number;
}

/** Service tokens per unit. */
export interface WorkPrice {
  readonly inputUnit: TokenRate;
  readonly outputUnit: TokenRate;
}

/** Input units count as uncached prompt tokens, output units as visible output. Throws `RangeError` for a number that is negative or not whole. */
export function usageOfWork({ inputUnits, outputUnits }: WorkUnits): Usage {
  return { ...NO_USAGE, uncachedPromptTokens: tokenCount(inputUnits), visibleOutputTokens: tokenCount(outputUnits) };
}

export function modelPriceOf({ inputUnit, outputUnit }: WorkPrice): Price {
  return { ...perRate(() => inputUnit), outputToken: outputUnit };
}

export function costOfWork(units: WorkUnits, price: WorkPrice, usdPerServiceToken: TokenRate): ServiceTokens {
  return chargeFor(usageOfWork(units), modelPriceOf(price), usdPerServiceToken).amount;
}
