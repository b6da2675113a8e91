import { FLOOR_OUTPUT_TOKENS, reserveDemand } from '../billing/reserve-demand.js';
import type { Model } from '../models/catalogue.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { type Instant, MILLISECONDS_PER_DAY, parseUtcDay, startOfUtcDay, type UtcDay } from '../primitives/time.js';
import { tokenCount } from '../primitives/token-count.js';
import { type DaySum, lastDaysOf } from './recent-spending.js';

/** Prompt tokens of a usual request, whose output is `FLOOR_OUTPUT_TOKENS`. */
export const USUAL_PROMPT_TOKENS = 500;

/** Charges on fewer UTC days than this do not show a pace of spending. */
export const MIN_DAYS_OF_USE = 3;

/** Larger numbers of requests are reported as this number. */
export const MAX_REQUESTS_LEFT = 1000;

export interface UsualRequest {
  readonly model: Model;
  /** The request is refused if less is available. */
  readonly needed: ServiceTokens;
}

/** The usual request to the model with the smallest reservation; `null` without models. */
export function usualRequest(models: readonly Model[], minimum: ServiceTokens): UsualRequest | null {
  const size = { promptTokens: tokenCount(USUAL_PROMPT_TOKENS), outputTokens: tokenCount(FLOOR_OUTPUT_TOKENS), minimum };
  const requests = models.map((model) => ({ model, needed: reserveDemand({ ...size, candidates: [model] }).floor }));
  return requests.reduce<UsualRequest | null>((least, request) => (least === null || request.needed.isLessThan(least.needed) ? request : least), null);
}

/** Number of usual requests that the available amount can still pay for; at most `MAX_REQUESTS_LEFT`. */
export function requestsLeft(available: ServiceTokens, { needed }: UsualRequest): number {
  if (needed.isZero()) return MAX_REQUESTS_LEFT;
  const left = available.toUnits() / needed.toUnits();
  return left > BigInt(MAX_REQUESTS_LEFT) ? MAX_REQUESTS_LEFT : Number(left);
}

function daysSince(day: UtcDay, now: Instant): number {
  return (startOfUtcDay(now) - (parseUtcDay(day) ?? now)) / MILLISECONDS_PER_DAY + 1;
}

/**
 * Whole days until less than `needed` is available, at the pace since the first charge of the last seven UTC days; zero if less is available now.
 * `null` if fewer than `MIN_DAYS_OF_USE` of these seven days have a charge. `days`: as for `recentSpending`.
 */
export function daysUntilRefused(available: ServiceTokens, needed: ServiceTokens, { days, now }: { readonly days: readonly DaySum[]; readonly now: Instant }): number | null {
  if (available.isLessThan(needed)) return 0;
  const charged = lastDaysOf(days, now).filter((day) => !day.charged.isZero());
  const daysOfUse = [...new Set(charged.map(({ day }) => day))].toSorted();
  const [first] = daysOfUse;
  if (first === undefined || daysOfUse.length < MIN_DAYS_OF_USE) return null;
  const spent = charged.reduce((sum, day) => sum + day.charged.toUnits(), 0n);
  return Number(available.minus(needed).toUnits() * BigInt(daysSince(first, now)) / spent);
}
