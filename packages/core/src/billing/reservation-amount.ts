import { type TokenCount, tokenCount } from '../ids.js';
import type { Model } from '../models/model.js';
import { dearestCost } from '../money/charge.js';
import { largerOf, type ServiceTokens } from '../money/service-tokens.js';

/** Output tokens a reservation assumes when the client asks for more, or does not say; also one step of an extension. */
export const OUTPUT_STEP_TOKENS = 4096;

/** Output the first reservation covers: what was asked for, up to one step. */
export function expectedOutput(maxOutputTokens: TokenCount): TokenCount {
  return tokenCount(Math.min(maxOutputTokens, OUTPUT_STEP_TOKENS));
}

export interface ReservationSize {
  readonly promptTokens: TokenCount;
  readonly outputTokens: TokenCount;
  /** Every model that may come to serve; the dearest decides. */
  readonly candidates: readonly Model[];
  readonly minimum: ServiceTokens;
}

/** What to set aside before a request goes upstream. */
export function reservationAmount({ promptTokens, outputTokens, candidates, minimum }: ReservationSize): ServiceTokens {
  return candidates.map(({ price }) => dearestCost(promptTokens, outputTokens, price)).reduce(largerOf, minimum);
}
