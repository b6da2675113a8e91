import { ServiceTokens } from './service-tokens.js';
import { rateUnits, type TokenRate } from './token-rate.js';

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
