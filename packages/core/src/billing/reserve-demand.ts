import type { Model } from '../models/catalogue.js';
import { dearestCost, payableOutput } from '../money/price.js';
import { largerOf, type ServiceTokens } from '../money/service-tokens.js';
import { type TokenCount, tokenCount } from '../primitives/primitives.js';

/** Reserves the amount, or the available balance if it is at least the floor. */
export interface ReserveDemand {
  readonly amount: ServiceTokens;
  /** At most the amount; equal to it if a smaller reservation is of no use. */
  readonly floor: ServiceTokens;
}

/** Output tokens of the first reservation if the client sets no lower maximum, and of each extension. */
export const OUTPUT_STEP_TOKENS = 4096;
/** Minimum output tokens that a low balance must pay for. */
export const FLOOR_OUTPUT_TOKENS = 256;

/** The requested maximum, up to one step. */
export function expectedOutput(maxOutputTokens: TokenCount): TokenCount {
  return tokenCount(Math.min(maxOutputTokens, OUTPUT_STEP_TOKENS));
}

export interface ReservationSize {
  readonly promptTokens: TokenCount;
  readonly outputTokens: TokenCount;
  /** All models that may serve the request; the most expensive one determines the amount. */
  readonly candidates: readonly Model[];
  readonly minimum: ServiceTokens;
}

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

/** Output tokens that the amount pays for in addition to the prompt, with the most expensive candidate. */
export function coveredOutput({ amount, promptTokens, candidates }: SetAside): number {
  return Math.min(...candidates.map(({ price }) => payableOutput(amount, promptTokens, price)));
}
