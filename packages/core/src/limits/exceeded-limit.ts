import { assertNever } from '../invariant.js';
import type { Demand, LimitName } from './admission.js';

/** A limit without room for a demand, and whether it is the plan's or the model's incident limit. */
export interface ExceededLimit {
  readonly limit: LimitName;
  readonly owner: 'plan' | 'incident';
}

/** What of a minute's limits and of the slots is taken. */
export interface MinuteUse {
  readonly requests: number;
  readonly tokens: number;
  readonly slots: number;
}

/** What an account uses: of its plan, and of the incident limit that binds the request. */
export interface LimitUse {
  readonly plan: MinuteUse;
  readonly incident: MinuteUse;
  /** Tokens of ended requests, and the estimates of running ones. */
  readonly day: number;
  readonly month: number;
}

/** In the order in which they refuse. A count of tokens meets the plan's requests per minute alone. */
const ORDER: readonly ExceededLimit[] = [
  { limit: 'requests-per-minute', owner: 'plan' },
  { limit: 'requests-per-minute', owner: 'incident' },
  { limit: 'tokens-per-minute', owner: 'plan' },
  { limit: 'tokens-per-minute', owner: 'incident' },
  { limit: 'concurrent-requests', owner: 'plan' },
  { limit: 'concurrent-requests', owner: 'incident' },
  { limit: 'tokens-per-day', owner: 'plan' },
  { limit: 'tokens-per-month', owner: 'plan' },
];
const ORDER_OF_COUNTS = ORDER.slice(0, 1);

/** The first limit that has no room for a demand; `null` when all have. */
export function exceededLimit(demand: Demand, use: LimitUse): ExceededLimit | null {
  const order = demand.kind === 'count' ? ORDER_OF_COUNTS : ORDER;
  return order.find((one) => usedOf(one, use) + wantedOf(one, demand) > limitOf(one, demand)) ?? null;
}

export function wantedOf({ limit }: ExceededLimit, { tokens }: Demand): number {
  return limit === 'requests-per-minute' || limit === 'concurrent-requests' ? 1 : tokens;
}

/** Infinity where nothing is limited. */
export function limitOf({ limit, owner }: ExceededLimit, { limits, incident }: Demand): number {
  const owned = owner === 'plan' ? limits : incident;
  switch (limit) {
    case 'requests-per-minute': return owned?.requestsPerMinute ?? Infinity;
    case 'tokens-per-minute': return owned?.tokensPerMinute ?? Infinity;
    case 'concurrent-requests': return owned?.concurrentRequests ?? Infinity;
    case 'tokens-per-day': return limits.tokensPerDay ?? Infinity;
    case 'tokens-per-month': return limits.tokensPerMonth ?? Infinity;
    default: return assertNever(limit);
  }
}

function usedOf({ limit, owner }: ExceededLimit, use: LimitUse): number {
  switch (limit) {
    case 'requests-per-minute': return use[owner].requests;
    case 'tokens-per-minute': return use[owner].tokens;
    case 'concurrent-requests': return use[owner].slots;
    case 'tokens-per-day': return use.day;
    case 'tokens-per-month': return use.month;
    default: return assertNever(limit);
  }
}
