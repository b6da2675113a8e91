import {
  type Admission, type Demand, type Instant, type LimitName, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, type PlanLimits,
  type QuotaSnapshot, type TokenCount, assertNever, instant, later, secondsUntil, startOfNextUtcDay, startOfNextUtcMonth,
} from '@tollgate/core';
import type { AdmitReply, QuotaReply } from './limiter-commands.js';

/** Seconds after which a slot is worth asking for again. */
const SLOT_RETRY_SECONDS = 2;

/** An account's counts at the instant Redis looked at them. */
export interface WindowReading {
  readonly now: Instant;
  /** `null` while no window is open. */
  readonly startedAt: Instant | null;
  readonly requests: number;
  readonly tokens: number;
}

export function decodeQuotaReply([now, startedAt, requests, tokens]: QuotaReply): WindowReading {
  return { now: instant(now), startedAt: startedAt < 0 ? null : instant(startedAt), requests, tokens };
}

export function decodeWindow([, now, startedAt, requests, tokens]: AdmitReply): WindowReading {
  return decodeQuotaReply([now, startedAt, requests, tokens]);
}

/** What the headers say of a window. */
export function quotaOf({ now, startedAt, requests, tokens }: WindowReading, limits: PlanLimits): QuotaSnapshot {
  return {
    requestsLimit: limits.requestsPerMinute,
    requestsRemaining: Math.max(0, limits.requestsPerMinute - requests),
    tokensLimit: limits.tokensPerMinute,
    tokensRemaining: Math.max(0, limits.tokensPerMinute - tokens) as TokenCount,
    requestsResetSeconds: startedAt === null ? 0 : Math.ceil((later(startedAt, MILLISECONDS_PER_MINUTE) - now) / MILLISECONDS_PER_SECOND),
  };
}

/** The refusal of a demand by the limit that the script named. */
export function refusalOf(limit: LimitName, demand: Demand, reading: WindowReading): Admission {
  const { limits } = demand;
  return {
    admitted: false,
    limit,
    retryAfterSeconds: retryAfterSeconds(limit, reading),
    neverFits: wantedOf(limit, demand) > limitOf(limit, limits),
    quota: quotaOf(reading, limits),
  };
}

function retryAfterSeconds(limit: LimitName, { now, startedAt }: WindowReading): number {
  switch (limit) {
    case 'requests-per-minute':
    case 'tokens-per-minute': return secondsUntil(later(startedAt ?? now, MILLISECONDS_PER_MINUTE), now);
    case 'concurrent-requests': return SLOT_RETRY_SECONDS;
    case 'tokens-per-day': return secondsUntil(startOfNextUtcDay(now), now);
    case 'tokens-per-month': return secondsUntil(startOfNextUtcMonth(now), now);
    default: return assertNever(limit);
  }
}

function wantedOf(limit: LimitName, { tokens }: Demand): number {
  return limit === 'requests-per-minute' || limit === 'concurrent-requests' ? 1 : tokens;
}

function limitOf(limit: LimitName, limits: PlanLimits): number {
  switch (limit) {
    case 'requests-per-minute': return limits.requestsPerMinute;
    case 'tokens-per-minute': return limits.tokensPerMinute;
    case 'concurrent-requests': return limits.concurrentRequests;
    case 'tokens-per-day': return limits.tokensPerDay ?? Infinity;
    case 'tokens-per-month': return limits.tokensPerMonth ?? Infinity;
    default: return assertNever(limit);
  }
}
