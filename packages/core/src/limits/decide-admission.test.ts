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
    ['admit a request if nothing is counted', {}, {}, 'admit'],
    ['admit the last request of the minute', {}, { plan: counted(2, 0) }, 'admit'],
    ['refuse one request more than the plan allows in a minute', {}, { plan: counted(3, 0) }, 'plan requests-per-minute'],
    ['admit a request that needs all tokens that are left', {}, { plan: counted(1, 90) }, 'admit'],
    ['refuse a request that needs one token more than are left', {}, { plan: counted(1, 91) }, 'plan tokens-per-minute'],
    ['admit a request to the last free slot', {}, { plan: { ...IDLE, slots: 1 } }, 'admit'],
    ['refuse a request if no slot is free', {}, { plan: { ...IDLE, slots: 2 } }, 'plan concurrent-requests'],
    ['admit a request when the window has just ended', {}, { plan: counted(3, 100, { startedAt: NOW - 60_000 }) }, 'admit'],
    ['refuse a request a millisecond before the window ends', {}, { plan: counted(3, 100, { startedAt: NOW - 59_999 }) }, 'plan requests-per-minute'],
    ['admit a request after the clock was set back by a minute', {}, { plan: counted(3, 100, { startedAt: NOW + 60_000 }) }, 'admit'],
    ['refuse a request after the clock was set back by less than a minute', {}, { plan: counted(3, 100, { startedAt: NOW + 59_999 }) }, 'plan requests-per-minute'],
    ['refuse a request if an incident limit has no request left', { incident: INCIDENT }, { incident: counted(2, 0) }, 'incident requests-per-minute'],
    ['refuse a request if an incident limit has too few tokens left', { incident: INCIDENT }, { incident: counted(1, 41) }, 'incident tokens-per-minute'],
    ['refuse a request if an incident limit has no slot left', { incident: INCIDENT }, { incident: { ...IDLE, slots: 1 } }, 'incident concurrent-requests'],
    ['never refuse a request for an incident limit without figures', { incident: { ...INCIDENT, requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null } }, { incident: counted(99, 999, { slots: 99 }) }, 'admit'],
    ['admit a request if no incident limit is in force', {}, { incident: counted(99, 999, { slots: 99 }) }, 'admit'],
    ['refuse because of the plan if the same limit of an incident is exceeded as well', { incident: INCIDENT }, { plan: counted(3, 100, { slots: 2 }), incident: counted(2, 50, { slots: 1 }) }, 'plan requests-per-minute'],
    ['refuse because of the requests if the limits of tokens and slots are exceeded as well', { incident: INCIDENT }, { plan: counted(2, 100, { slots: 2 }), incident: counted(2, 50, { slots: 1 }) }, 'incident requests-per-minute'],
    ['refuse because of the tokens if the limit of slots is exceeded as well', { incident: INCIDENT }, { plan: counted(1, 100, { slots: 2 }), incident: counted(1, 50, { slots: 1 }) }, 'plan tokens-per-minute'],
    ['refuse the counting of tokens if no request is left', { kind: 'count' }, { plan: counted(3, 0) }, 'plan requests-per-minute'],
    ['admit the counting of tokens whatever other limit is exceeded', { kind: 'count', incident: INCIDENT, limits: { ...LIMITS, tokensPerDay: tokenCount(0) } }, { plan: counted(2, 100, { slots: 2 }), incident: counted(2, 50, { slots: 1 }) }, 'admit'],
  ])('%s', (_name, demand, ...[counts, expected]) => {
    expect(shown(decideAdmission(demandOf(demand), countsOf(counts), NOW))).toBe(expected);
  });
});

describe('the caps of a day and a month', () => {
  const TODAY: CalendarCounts = { dayNumber: 20, day: 500, month: 900, ageMilliseconds: 0 };
  const capped = (tokensPerDay: number | null, tokensPerMonth: number | null): Partial<Demand> => (
    { limits: { ...LIMITS, tokensPerDay: tokensPerDay === null ? null : tokenCount(tokensPerDay), tokensPerMonth: tokensPerMonth === null ? null : tokenCount(tokensPerMonth) } });

  it.each<readonly [name: string, demand: Partial<Demand>, counts: Partial<LimitCounts>, expected: string]>([
    ['require the figures of the ledger if they have not been read', capped(1_000, null), {}, 'read-calendar'],
    ['require new figures if those known are of another day', capped(1_000, null), { calendar: { ...TODAY, dayNumber: 19 } }, 'read-calendar'],
    ['leave the ledger unread if a limit per minute refuses', capped(1_000, null), { plan: counted(3, 0) }, 'plan requests-per-minute'],
    ['admit a request that needs all tokens left of the day', capped(510, null), { calendar: TODAY }, 'admit'],
    ['refuse a request that needs one token more than the day has left', capped(509, null), { calendar: TODAY }, 'plan tokens-per-day'],
    ['count the tokens of running requests towards the day', capped(510, null), { calendar: TODAY, tokensInFlight: 1 }, 'plan tokens-per-day'],
    ['admit a request that needs all tokens left of the month', capped(null, 910), { calendar: TODAY }, 'admit'],
    ['refuse a request that needs one token more than the month has left', capped(null, 909), { calendar: TODAY }, 'plan tokens-per-month'],
    ['refuse because of the day if the cap of the month is exceeded as well', capped(0, 0), { calendar: TODAY }, 'plan tokens-per-day'],
    ['refuse by figures that are less than ten seconds old', capped(0, null), { calendar: { ...TODAY, ageMilliseconds: 9_999 } }, 'plan tokens-per-day'],
    ['require new figures before a refusal if those known are ten seconds old', capped(0, null), { calendar: { ...TODAY, ageMilliseconds: 10_000 } }, 'read-calendar'],
    ['admit by figures that are less than five minutes old', capped(510, null), { calendar: { ...TODAY, ageMilliseconds: 299_999 } }, 'admit'],
    ['require new figures before admitting if those known are five minutes old', capped(510, null), { calendar: { ...TODAY, ageMilliseconds: 300_000 } }, 'read-calendar'],
    ['leave the ledger unread if the plan has no cap', {}, { tokensInFlight: 99_999 }, 'admit'],
  ])('%s', (_name, demand, ...[counts, expected]) => {
    expect(shown(decideAdmission(demandOf(demand), countsOf(counts), NOW))).toBe(expected);
  });
});
