import type { QuotaSnapshot } from '../errors/refusal-details.js';
import type { PlanLimits } from '../models/plan.js';
import type { TokenCount } from '../primitives/token-count.js';
import { type Instant, later, MILLISECONDS_PER_MINUTE, secondsUntil } from '../primitives/time.js';
import type { IncidentLimit } from './incident-limit.js';

export interface WindowCounts {
  /** `null` if no window is open. */
  readonly startedAt: Instant | null;
  readonly requests: number;
  readonly tokens: number;
}

export const NOTHING_COUNTED: WindowCounts = { startedAt: null, requests: 0, tokens: 0 };

export interface QuotaReading {
  readonly now: Instant;
  readonly plan: WindowCounts;
  readonly incident: WindowCounts;
}

export interface BindingLimits {
  readonly limits: PlanLimits;
  readonly incident: IncidentLimit | null;
}

/**
 * The more restrictive of plan and incident limit: the one with fewer remaining requests; if equal, with the later reset; if equal, with fewer
 * remaining tokens. Values that the incident limit does not set are the plan's.
 */
export function quotaOf({ limits, incident }: BindingLimits, reading: QuotaReading): QuotaSnapshot {
  const plan = planQuota(limits, reading);
  if (incident === null) return plan;
  const model = incidentQuota(incident, plan, reading);
  const order = model.requestsRemaining - plan.requestsRemaining
    || plan.requestsResetSeconds - model.requestsResetSeconds
    || model.tokensRemaining - plan.tokensRemaining;
  return order < 0 ? model : plan;
}

/** End of the window, or of the incident limit if that is earlier. Without an open window, assumes one that opens now. */
export function windowEnd({ startedAt }: WindowCounts, now: Instant, incident: IncidentLimit | null): Instant {
  const end = later(startedAt ?? now, MILLISECONDS_PER_MINUTE);
  const expiresAt = incident?.expiresAt ?? end;
  return expiresAt < end ? expiresAt : end;
}

function planQuota(limits: PlanLimits, { plan, now }: QuotaReading): QuotaSnapshot {
  return {
    requestsLimit: limits.requestsPerMinute,
    requestsRemaining: remaining(limits.requestsPerMinute, plan.requests),
    tokensLimit: limits.tokensPerMinute,
    tokensRemaining: remaining(limits.tokensPerMinute, plan.tokens) as TokenCount,
    requestsResetSeconds: resetSeconds(plan, now, null),
  };
}

function incidentQuota(limit: IncidentLimit, plan: QuotaSnapshot, { incident: counted, now }: QuotaReading): QuotaSnapshot {
  return {
    ...plan,
    ...(limit.requestsPerMinute === null ? {} : {
      requestsLimit: limit.requestsPerMinute,
      requestsRemaining: remaining(limit.requestsPerMinute, counted.requests),
      requestsResetSeconds: resetSeconds(counted, now, limit),
    }),
    ...(limit.tokensPerMinute === null ? {} : {
      tokensLimit: limit.tokensPerMinute,
      tokensRemaining: remaining(limit.tokensPerMinute, counted.tokens) as TokenCount,
    }),
  };
}

function remaining(limit: number, counted: number): number {
  return Math.max(0, limit - counted);
}

function resetSeconds(counts: WindowCounts, now: Instant, incident: IncidentLimit | null): number {
  return counts.startedAt === null ? 0 : secondsUntil(windowEnd(counts, now, incident), now);
}
