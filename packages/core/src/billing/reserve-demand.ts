import type { Model } from '../models/catalogue.js';
import { dearestCost, payableOutput } from '../money/price.js';
import { largerOf, type ServiceTokens } from '../money/service-tokens.js';
import { type TokenCount, tokenCount } from '../primitives/primitives.js';

/** How much to set aside: the amount, or else what is available if that is at least the floor. */
export interface ReserveDemand {
  readonly amount: ServiceTokens;
  /** At most the amount; the amount itself where a part of it is of no use. */
  readonly floor: ServiceTokens;
}

/** Output tokens a reservation assumes when the client asks for more, or does not say; also one step of an extension. */
export const OUTPUT_STEP_TOKENS = 4096;
/** Output tokens that are worth starting for, where the balance does not pay for all that is expected. */
export const FLOOR_OUTPUT_TOKENS = 256;

/** The output that the first reservation covers: the requested maximum, up to one step. */
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

/** What to set aside before a request goes upstream, and the least that will do. */
export function reserveDemand(size: ReservationSize): ReserveDemand {
  const amount = costOf(size);
  if (size.outputTokens <= FLOOR_OUTPUT_TOKENS) return { amount, floor: amount };
  return { amount, floor: costOf({ ...size, outputTokens: tokenCount(FLOOR_OUTPUT_TOKENS) }) };
}

function costOf({ promptTokens, outputTokens, candidates, minimum }: ReservationSize): ServiceTokens {
  return candidates.map(({ price }) => dearestCost(promptTokens, outputTokens, price)).reduce(largerOf, minimum);
}

export interface SetAside {
  readonly amount: ServiceTokens;
  readonly promptTokens: TokenCount;
  readonly candidates: readonly Model[];
}

/** The output that an amount pays for beside the prompt, whichever candidate serves. */
export function coveredOutput({ amount, promptTokens, candidates }: SetAside): number {
  return Math.min(...candidates.map(({ price }) => payableOutput(amount, promptTokens, price)));
}
