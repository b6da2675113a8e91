import { dearestRate, type TokenRate } from './token-rate.js';

/** Service tokens charged per model token, by token class. The classes are disjoint. */
export interface Price {
  readonly promptToken: TokenRate;
  readonly cachedPromptToken: TokenRate;
  readonly cacheCreationToken: TokenRate;
  readonly outputToken: TokenRate;
}

/** The dearest rate a prompt token may turn out to be charged at; what a reservation must assume. */
export function dearestPromptRate(price: Price): TokenRate {
  return dearestRate(price.promptToken, price.cachedPromptToken, price.cacheCreationToken);
}
