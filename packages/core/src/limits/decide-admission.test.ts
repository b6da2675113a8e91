import { describe, expect, it } from '@jest/globals';
import type { PlanLimits } from '../models/plan.js';
import type { AccountId, ModelSlug, RequestId } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { instant } from '../primitives/time.js';
import type { Demand } from './admission.js';
import { type AdmissionDecision, type CalendarCounts, decideAdmission, type LimitCounts, type MinuteCounts } from './decide-admission.js';
import type { IncidentLimit } from './incident-limit.js';
import { NOTHING_COUNTED } from './quota-snapshot.js';

const DAY = 86_400_000;
const NOW = instant(20 * DAY + 3_600_000);
const LIMITS: PlanLimits = { requestsPerMinute: 3, tokensPerMinute: tokenCount(100), concurrentRequests: 2, tokensPerDay: null, tokensPerMonth: null, maxContextTokens: tokenCount(1_000), activeKeys: 1 };
const INCIDENT: IncidentLimit = { model: 'small' as ModelSlug, setAt: instant(1), requestsPerMinute: 2, tokensPerMinute: tokenCount(50), concurrentRequests: 1, expiresAt: null };
const IDLE: MinuteCounts = { window: NOTHING_COUNTED, slots: 0 };

function demandOf(part: Partial<Demand> = {}): Demand {
  return { accountId: 'acct_1' as AccountId, requestId: 'req_1' as RequestId, limits: LIMITS, incident: null, kind: 'generation', tokens: tokenCount(10), ...part };
}

function countsOf(part: Partial<LimitCounts> = {}): LimitCounts {
  return { plan: IDLE, incident: IDLE, tokensInFlight: 0, calendar: null, ...part };
}

function counted(requests: number, tokens: number, { slots = 0, startedAt = NOW }: { readonly slots?: number; readonly startedAt?: number } = {}): MinuteCounts {
  return { window: { startedAt: instant(startedAt), requests, tokens }, slots };
}

/** `admit`, `read-calendar`, or the owner and the name of the refusing limit. */
function shown(decision: AdmissionDecision): string {
  return decision.decision === 'refuse' ? `${decision.exceeded.owner} ${decision.exceeded.limit}` : decision.decision;
}

describe('the limits of a minute', () => {
  it.each<readonly [name: string, demand: Partial<Demand>, counts: Partial<LimitCounts>, expected: string]>([
    ['nothing is counted', {}, {}, 'admit'],
    ['the last request fits', {}, { plan: counted(2, 0) }, 'admit'],
    ['one request is too many', {}, { plan: counted(3, 0) }, 'plan requests-per-minute'],
    ['the last tokens fit', {}, { plan: counted(1, 90) }, 'admit'],
    ['one token is too many', {}, { plan: counted(1, 91) }, 'plan tokens-per-minute'],
    ['the last slot is free', {}, { plan: { ...IDLE, slots: 1 } }, 'admit'],
    ['no slot is free', {}, { plan: { ...IDLE, slots: 2 } }, 'plan concurrent-requests'],
    ['the window has just ended', {}, { plan: counted(3, 100, { startedAt: NOW - 60_000 }) }, 'admit'],
    ['the window ends in a millisecond', {}, { plan: counted(3, 100, { startedAt: NOW - 59_999 }) }, 'plan requests-per-minute'],
    ['the clock was set back by a minute', {}, { plan: counted(3, 100, { startedAt: NOW + 60_000 }) }, 'admit'],
    ['the clock was set back by less', {}, { plan: counted(3, 100, { startedAt: NOW + 59_999 }) }, 'plan requests-per-minute'],
    ['an incident limit has no request left', { incident: INCIDENT }, { incident: counted(2, 0) }, 'incident requests-per-minute'],
    ['an incident limit has no tokens left', { incident: INCIDENT }, { incident: counted(1, 41) }, 'incident tokens-per-minute'],
    ['an incident limit has no slot left', { incident: INCIDENT }, { incident: { ...IDLE, slots: 1 } }, 'incident concurrent-requests'],
    ['an incident limit without figures never refuses', { incident: { ...INCIDENT, requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null } }, { incident: counted(99, 999, { slots: 99 }) }, 'admit'],
    ['no incident limit is in force', {}, { incident: counted(99, 999, { slots: 99 }) }, 'admit'],
    ['the plan refuses before the incident limit', { incident: INCIDENT }, { plan: counted(3, 100, { slots: 2 }), incident: counted(2, 50, { slots: 1 }) }, 'plan requests-per-minute'],
    ['requests are refused before tokens', { incident: INCIDENT }, { plan: counted(2, 100, { slots: 2 }), incident: counted(2, 50, { slots: 1 }) }, 'incident requests-per-minute'],
    ['tokens are refused before slots', { incident: INCIDENT }, { plan: counted(1, 100, { slots: 2 }), incident: counted(1, 50, { slots: 1 }) }, 'plan tokens-per-minute'],
    ['counting tokens is subject to requests per minute', { kind: 'count' }, { plan: counted(3, 0) }, 'plan requests-per-minute'],
    ['counting tokens is subject to no other limit', { kind: 'count', incident: INCIDENT, limits: { ...LIMITS, tokensPerDay: tokenCount(0) } }, { plan: counted(2, 100, { slots: 2 }), incident: counted(2, 50, { slots: 1 }) }, 'admit'],
  ])('%s', (_name, demand, ...[counts, expected]) => {
    expect(shown(decideAdmission(demandOf(demand), countsOf(counts), NOW))).toBe(expected);
  });
});

describe('the caps of a day and a month', () => {
  const TODAY: CalendarCounts = { dayNumber: 20, day: 500, month: 900, ageMilliseconds: 0 };
  const capped = (tokensPerDay: number | null, tokensPerMonth: number | null): Partial<Demand> => (
    { limits: { ...LIMITS, tokensPerDay: tokensPerDay === null ? null : tokenCount(tokensPerDay), tokensPerMonth: tokensPerMonth === null ? null : tokenCount(tokensPerMonth) } });

  it.each<readonly [name: string, demand: Partial<Demand>, counts: Partial<LimitCounts>, expected: string]>([
    ['the ledger has not been read', capped(1_000, null), {}, 'read-calendar'],
    ['the figures are of another day', capped(1_000, null), { calendar: { ...TODAY, dayNumber: 19 } }, 'read-calendar'],
    ['a limit per minute refuses before the ledger is read', capped(1_000, null), { plan: counted(3, 0) }, 'plan requests-per-minute'],
    ['the last tokens of the day fit', capped(510, null), { calendar: TODAY }, 'admit'],
    ['one token is too many for the day', capped(509, null), { calendar: TODAY }, 'plan tokens-per-day'],
    ['running requests count for the day', capped(510, null), { calendar: TODAY, tokensInFlight: 1 }, 'plan tokens-per-day'],
    ['the last tokens of the month fit', capped(null, 910), { calendar: TODAY }, 'admit'],
    ['one token is too many for the month', capped(null, 909), { calendar: TODAY }, 'plan tokens-per-month'],
    ['the day refuses before the month', capped(0, 0), { calendar: TODAY }, 'plan tokens-per-day'],
    ['figures of almost ten seconds refuse', capped(0, null), { calendar: { ...TODAY, ageMilliseconds: 9_999 } }, 'plan tokens-per-day'],
    ['figures of ten seconds do not refuse', capped(0, null), { calendar: { ...TODAY, ageMilliseconds: 10_000 } }, 'read-calendar'],
    ['figures of almost five minutes admit', capped(510, null), { calendar: { ...TODAY, ageMilliseconds: 299_999 } }, 'admit'],
    ['figures of five minutes do not admit', capped(510, null), { calendar: { ...TODAY, ageMilliseconds: 300_000 } }, 'read-calendar'],
    ['without a cap the ledger is not read', {}, { tokensInFlight: 99_999 }, 'admit'],
  ])('%s', (_name, demand, ...[counts, expected]) => {
    expect(shown(decideAdmission(demandOf(demand), countsOf(counts), NOW))).toBe(expected);
  });
});
