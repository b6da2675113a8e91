import {
  type Admission, type Demand, type Instant, type LimitName, type TokenCount, later, MILLISECONDS_PER_MINUTE, secondsUntil,
  startOfNextUtcDay, startOfNextUtcMonth,
} from '@tollgate/core';
import type { AccountUse } from './account-use.js';
import { endOf } from './minute-window.js';

/** Seconds after which a slot is worth asking for again. */
const SLOT_RETRY_SECONDS = 2;

/** Why a demand is refused: an `Admission` without its quota. */
export type ExceededLimit = Omit<Extract<Admission, { admitted: false }>, 'quota'>;

interface LimitCheck {
  readonly name: LimitName;
  readonly limit: number;
  readonly used: number;
  readonly wanted: number;
  readonly retryAfterSeconds: () => number;
}

/** The first limit, in the order of the refusals, that has no room for a demand; `null` when all have. */
export function exceededLimit(demand: Demand, use: AccountUse, now: Instant): ExceededLimit | null {
  const { limits, tokens } = demand;
  const window = use.openWindow(now);
  const untilReset = (): number => secondsUntil(window === null ? later(now, MILLISECONDS_PER_MINUTE) : endOf(window), now);
  const requests = exceeded({
    name: 'requests-per-minute', limit: limits.requestsPerMinute, used: window?.requests ?? 0, wanted: 1, retryAfterSeconds: untilReset,
  });
  if (requests !== null || demand.kind === 'count') return requests;
  return exceeded({
    name: 'tokens-per-minute', limit: limits.tokensPerMinute, used: window?.tokens ?? 0, wanted: tokens, retryAfterSeconds: untilReset,
  }) ?? exceeded({
    name: 'concurrent-requests', limit: limits.concurrentRequests, used: use.slots, wanted: 1, retryAfterSeconds: () => SLOT_RETRY_SECONDS,
  }) ?? exceededCap(demand, use, now);
}

function exceededCap({ limits, tokens: wanted }: Demand, use: AccountUse, now: Instant): ExceededLimit | null {
  const { calendar, tokensInFlight } = use;
  return exceeded({
    name: 'tokens-per-day', limit: capOf(limits.tokensPerDay), used: calendar.day + tokensInFlight, wanted,
    retryAfterSeconds: () => secondsUntil(startOfNextUtcDay(now), now),
  }) ?? exceeded({
    name: 'tokens-per-month', limit: capOf(limits.tokensPerMonth), used: calendar.month + tokensInFlight, wanted,
    retryAfterSeconds: () => secondsUntil(startOfNextUtcMonth(now), now),
  });
}

function exceeded({ name, limit, used, wanted, retryAfterSeconds }: LimitCheck): ExceededLimit | null {
  if (used + wanted <= limit) return null;
  return { admitted: false, limit: name, retryAfterSeconds: retryAfterSeconds(), neverFits: wanted > limit };
}

function capOf(cap: TokenCount | null): number {
  return cap ?? Infinity;
}
