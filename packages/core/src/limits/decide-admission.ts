import type { LimitName } from '../errors/refusal-details.js';
import { assertNever } from '../primitives/assert-never.js';
import { type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { Demand } from './admission.js';
import { NOTHING_COUNTED, type WindowCounts } from './quota-snapshot.js';

/** Age at which day and month figures are read again from the ledger. */
export const CALENDAR_LIFETIME_MILLISECONDS = 300_000;
/** A cap refuses a request only on the basis of figures younger than this, because the refusal can last for the rest of the day or month. */
export const REFUSING_CALENDAR_MILLISECONDS = 10_000;

export interface ExceededLimit {
  readonly limit: LimitName;
  readonly owner: 'plan' | 'incident';
}

/** `used` excludes the demand. */
export interface UsedLimit extends ExceededLimit {
  readonly used: number;
}

export interface MinuteCounts {
  /** The latest window, possibly expired. */
  readonly window: WindowCounts;
  /** Running requests. */
  readonly slots: number;
}

/** Tokens of ended requests: the ledger's sums and what was counted since. */
export interface CalendarCounts {
  /** UTC days since the epoch. */
  readonly dayNumber: number;
  readonly day: number;
  readonly month: number;
  /** Time since the ledger was read; 0 if one process counts everything. */
  readonly ageMilliseconds: number;
}

export interface LimitCounts {
  readonly plan: MinuteCounts;
  readonly incident: MinuteCounts;
  /** Estimates of running requests; count against the caps. */
  readonly tokensInFlight: number;
  /** `null` before the ledger is read. */
  readonly calendar: CalendarCounts | null;
}

export type AdmissionDecision =
  | { readonly decision: 'admit' }
  | { readonly decision: 'refuse'; readonly exceeded: UsedLimit }
  /** A cap applies, and the ledger's sums are missing or too old. */
  | { readonly decision: 'read-calendar' };

const ADMIT: AdmissionDecision = { decision: 'admit' };
const READ_CALENDAR: AdmissionDecision = { decision: 'read-calendar' };

/** By precedence. Token counting is subject to the plan's requests per minute only. */
const ORDER: readonly ExceededLimit[] = [
  { limit: 'requests-per-minute', owner: 'plan' },
  { limit: 'requests-per-minute', owner: 'incident' },
  { limit: 'tokens-per-minute', owner: 'plan' },
  { limit: 'tokens-per-minute', owner: 'incident' },
  { limit: 'concurrent-requests', owner: 'plan' },
  { limit: 'concurrent-requests', owner: 'incident' },
];
const ORDER_WITHOUT_INCIDENT = ORDER.filter(({ owner }) => owner === 'plan');
const ORDER_OF_COUNTS = ORDER.slice(0, 1);
const ORDER_OF_CAPS: readonly ExceededLimit[] = [{ limit: 'tokens-per-day', owner: 'plan' }, { limit: 'tokens-per-month', owner: 'plan' }];

/** Pure; the limiter counts an admitted demand in the same atomic step. The Redis limiter's Lua script has the same rule. */
export function decideAdmission(demand: Demand, counts: LimitCounts, now: Instant): AdmissionDecision {
  const exceeded = firstExceeded(orderFor(demand), demand, { counts, now });
  if (exceeded !== null) return { decision: 'refuse', exceeded };
  if (demand.kind === 'count' || !hasCaps(demand)) return ADMIT;
  const { calendar } = counts;
  if (calendar === null || calendar.dayNumber !== dayNumberOf(now) || calendar.ageMilliseconds >= CALENDAR_LIFETIME_MILLISECONDS) return READ_CALENDAR;
  const reached = firstExceeded(ORDER_OF_CAPS, demand, { counts, now });
  if (reached === null) return ADMIT;
  return calendar.ageMilliseconds >= REFUSING_CALENDAR_MILLISECONDS ? READ_CALENDAR : { decision: 'refuse', exceeded: reached };
}

/** Compares the absolute difference, so that a clock that was set back does not extend the window. */
export function isWindowOpen({ startedAt }: WindowCounts, now: Instant): boolean {
  return startedAt !== null && Math.abs(now - startedAt) < MILLISECONDS_PER_MINUTE;
}

export function dayNumberOf(at: Instant): number {
  return Math.floor(at / MILLISECONDS_PER_DAY);
}

export function wantedOf({ limit }: ExceededLimit, { tokens }: Demand): number {
  return limit === 'requests-per-minute' || limit === 'concurrent-requests' ? 1 : tokens;
}

/** Infinity if there is no limit. */
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

function orderFor({ kind, incident }: Demand): readonly ExceededLimit[] {
  if (kind === 'count') return ORDER_OF_COUNTS;
  return incident === null ? ORDER_WITHOUT_INCIDENT : ORDER;
}

interface CountsNow {
  readonly counts: LimitCounts;
  readonly now: Instant;
}

function firstExceeded(order: readonly ExceededLimit[], demand: Demand, at: CountsNow): UsedLimit | null {
  for (const one of order) {
    const used = usedOf(one, at);
    if (used + wantedOf(one, demand) > limitOf(one, demand)) return { ...one, used };
  }
  return null;
}

function usedOf({ limit, owner }: ExceededLimit, { counts, now }: CountsNow): number {
  switch (limit) {
    case 'requests-per-minute': return openCounts(counts[owner], now).requests;
    case 'tokens-per-minute': return openCounts(counts[owner], now).tokens;
    case 'concurrent-requests': return counts[owner].slots;
    case 'tokens-per-day': return (counts.calendar?.day ?? 0) + counts.tokensInFlight;
    case 'tokens-per-month': return (counts.calendar?.month ?? 0) + counts.tokensInFlight;
    default: return assertNever(limit);
  }
}

function openCounts({ window }: MinuteCounts, now: Instant): WindowCounts {
  return isWindowOpen(window, now) ? window : NOTHING_COUNTED;
}

function hasCaps({ limits }: Demand): boolean {
  return limits.tokensPerDay !== null || limits.tokensPerMonth !== null;
}
