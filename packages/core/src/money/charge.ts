import { Big } from 'big.js';
import { type Usage, outputTokensOf } from '../generation/usage.js';
import { dearestPromptRate, type Price } from './price.js';
import { AMOUNT_SCALE, ServiceTokens } from './service-tokens.js';
import type { TokenRate } from './token-rate.js';
import { UsdAmount } from './usd-amount.js';

/** What a request costs: the amount debited and its worth, always stated together. */
export interface Charge {
  readonly amount: ServiceTokens;
  readonly usd: UsdAmount;
}

function roundedUp(exact: Big): ServiceTokens {
  return ServiceTokens.parse(exact.round(AMOUNT_SCALE, Big.roundUp).toFixed());
}

/** Pairs an amount that is already exact with its worth in US dollars. */
export function chargeOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): Charge {
  return { amount, usd: UsdAmount.worthOf(amount, usdPerServiceToken) };
}

/** Sums count × rate over the token classes, then rounds up once, to 0.000001. */
export function chargeFor(usage: Usage, price: Price, usdPerServiceToken: TokenRate): Charge {
  const exact = new Big(price.promptToken).times(usage.uncachedPromptTokens)
    .plus(new Big(price.cachedPromptToken).times(usage.cachedPromptTokens))
    .plus(new Big(price.cacheCreationToken).times(usage.cacheCreationTokens))
    .plus(new Big(price.outputToken).times(outputTokensOf(usage)));
  return chargeOf(roundedUp(exact), usdPerServiceToken);
}

/** The most that a prompt and an output of these sizes can cost at a price; rounded up like a charge. */
export function dearestCost(promptTokens: number, outputTokens: number, price: Price): ServiceTokens {
  return roundedUp(
    new Big(dearestPromptRate(price)).times(promptTokens).plus(new Big(price.outputToken).times(outputTokens)),
  );
}
