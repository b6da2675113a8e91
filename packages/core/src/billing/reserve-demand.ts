import type { Model } from '../models/catalogue.js';
import { dearestCost, payableOutput } from '../money/dearest-cost.js';
import { largerOf, type ServiceTokens } from '../money/service-tokens.js';
import { type TokenCount, tokenCount } from '../primitives/token-count.js';

export interface ReserveDemand {
  readonly amount: ServiceTokens;
  /** Smallest useful reservation; at most the amount. */
  readonly floor: ServiceTokens;
}

/** Each extension adds a multiple of this number of output tokens. The first reservation covers this number, or the request's lower maximum. */
export const OUTPUT_STEP_TOKENS = 4096;
/** Minimum output that a low balance must be able to pay for, unless the request's maximum is lower. */
export const FLOOR_OUTPUT_TOKENS = 256;

/** Output that the first reservation covers. */
export function expectedOutput(maxOutputTokens: TokenCount): TokenCount {
  return tokenCount(Math.min(maxOutputTokens, OUTPUT_STEP_TOKENS));
}

export interface ReservationSize {
  readonly promptTokens: TokenCount;
  readonly outputTokens: TokenCount;
  /** Models that may serve the request; the most expensive one determines the amount. */
  readonly candidates: readonly Model[];
  readonly minimum: ServiceTokens;
}

export function reserveDemand(size: ReservationSize): ReserveDemand {
  const amount = costOf(size);
  if (size.outputTokens <= FLOOR_OUTPUT_TOKENS) return { amount, floor: amount };
  return { amount, floor: costOf({ ...size, outputTokens: tokenCount(FLOOR_OUTPUT_TOKENS) }) };
}

function costOf({ promptTokens, outputTokens, candidates, minimum }: ReservationSize): ServiceTokens {
  let amount = minimum;
  for (const { price } of candidates) amount = largerOf(amount, dearestCost(promptTokens, outputTokens, price));
  return amount;
}

export interface SetAside {
  readonly amount: ServiceTokens;
  readonly promptTokens: TokenCount;
  readonly candidates: readonly Model[];
}

/** Output tokens that the amount pays for after the prompt, at the price of the most expensive candidate. */
export function coveredOutput({ amount, promptTokens, candidates }: SetAside): number {
  let covered = Infinity;
  for (const { price } of candidates) covered = Math.min(covered, payableOutput(amount, promptTokens, price));
  return covered;
}
