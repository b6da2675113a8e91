import { type Usage, outputTokensOf } from '../generation/usage.js';
import { dearestPromptUnits, type Price } from './price.js';
import { AMOUNT_SCALE, ServiceTokens } from './service-tokens.js';
import { RATE_SCALE, rateUnits, type TokenRate } from './token-rate.js';
import { UsdAmount } from './usd-amount.js';

/** What a request costs: the amount debited and its worth, always stated together. */
export interface Charge {
  readonly amount: ServiceTokens;
  readonly usd: UsdAmount;
}

/** Units of a rate in one unit of an amount. */
const RATE_UNITS_PER_AMOUNT_UNIT = 10n ** BigInt(RATE_SCALE - AMOUNT_SCALE);

/** The only rounding there is: up, to the next whole unit of an amount. */
function roundedUp(units: bigint): ServiceTokens {
  return ServiceTokens.fromUnits((units + RATE_UNITS_PER_AMOUNT_UNIT - 1n) / RATE_UNITS_PER_AMOUNT_UNIT);
}

/** Count × rate, in units of a rate; most classes of most requests have nothing to count. */
function costOf(count: number, rate: TokenRate): bigint {
  return count === 0 ? 0n : BigInt(count) * rateUnits(rate);
}

/** Pairs an amount that is already exact with its worth in US dollars. */
export function chargeOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): Charge {
  return { amount, usd: UsdAmount.worthOf(amount, usdPerServiceToken) };
}

/** Sums count × rate over the token classes, then rounds up once, to 0.000001. */
export function chargeFor(usage: Usage, price: Price, usdPerServiceToken: TokenRate): Charge {
  const exact = costOf(usage.uncachedPromptTokens, price.promptToken)
    + costOf(usage.cachedPromptTokens, price.cachedPromptToken)
    + costOf(usage.cacheCreationTokens, price.cacheCreationToken)
    + costOf(outputTokensOf(usage), price.outputToken);
  return chargeOf(roundedUp(exact), usdPerServiceToken);
}

/** The most output tokens that an amount pays for beside a prompt, in the same way: `dearestCost` of both is at most the amount. */
export function payableOutput(amount: ServiceTokens, promptTokens: number, price: Price): number {
  const left = amount.toUnits() * RATE_UNITS_PER_AMOUNT_UNIT - BigInt(promptTokens) * dearestPromptUnits(price);
  const rate = rateUnits(price.outputToken);
  if (left < 0n) return 0;
  return rate === 0n ? Infinity : Number(left / rate);
}

/** The most that a prompt and an output of these sizes can cost at a price; rounded up like a charge. */
export function dearestCost(promptTokens: number, outputTokens: number, price: Price): ServiceTokens {
  return roundedUp(BigInt(promptTokens) * dearestPromptUnits(price) + BigInt(outputTokens) * rateUnits(price.outputToken));
}
