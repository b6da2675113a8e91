import { describe, expect, it } from '@jest/globals';
import { type ModelSlug, tokenCount } from '../ids.js';
import type { IncidentLimit } from '../platform/platform-snapshot.js';
import { PAY_AS_YOU_GO_PLAN } from '../plans/standard-plans.js';
import { instant } from '../time/instant.js';
import type { LimitName } from './admission.js';
import { effectiveLimits } from './effective-limits.js';
import { limitRefusal } from './limit-refusal.js';

const PLAN = PAY_AS_YOU_GO_PLAN.limits;
const NONE: IncidentLimit = { model: 'small' as ModelSlug, requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null, expiresAt: null };

describe('the limits in force', () => {
  it.each<readonly [name: string, incident: IncidentLimit | null, expected: Partial<typeof PLAN>]>([
    ['no incident', null, {}],
    ['an incident that lowers nothing', NONE, {}],
    ['lower limits', { ...NONE, requestsPerMinute: 5, tokensPerMinute: tokenCount(100), concurrentRequests: 1 }, { requestsPerMinute: 5, tokensPerMinute: tokenCount(100), concurrentRequests: 1 }],
    ['higher limits, which change nothing', { ...NONE, requestsPerMinute: 500, tokensPerMinute: tokenCount(10_000_000), concurrentRequests: 100 }, {}],
    ['limits of zero', { ...NONE, requestsPerMinute: 0, tokensPerMinute: tokenCount(0), concurrentRequests: 0 }, { requestsPerMinute: 0, tokensPerMinute: tokenCount(0), concurrentRequests: 0 }],
    ['an incident until the next millisecond', { ...NONE, requestsPerMinute: 5, expiresAt: instant(101) }, { requestsPerMinute: 5 }],
    ['an incident until now', { ...NONE, requestsPerMinute: 5, expiresAt: instant(100) }, {}],
  ])('are the lower of plan and incident: %s', (_name, incident, expected) => {
    expect(effectiveLimits(PLAN, incident, instant(100))).toEqual({ ...PLAN, ...expected });
  });
});

describe('the refusal of an admission', () => {
  const quota = { requestsLimit: 60, requestsRemaining: 3, tokensLimit: tokenCount(10), tokensRemaining: tokenCount(4), requestsResetSeconds: 7 };

  it.each<readonly [limit: LimitName, code: string]>([
    ['requests-per-minute', 'rate_limit_exceeded'],
    ['tokens-per-minute', 'tokens_per_minute_exceeded'],
    ['concurrent-requests', 'concurrency_limit_exceeded'],
    ['tokens-per-day', 'daily_limit_exceeded'],
    ['tokens-per-month', 'monthly_limit_exceeded'],
  ])('of %s is %s, with the wait and the limits', (limit, code) => {
    const refusal = limitRefusal({ admitted: false, limit, retryAfterSeconds: 12, neverFits: false, quota });
    expect(refusal).toMatchObject({ code, retryAfterSeconds: 12, isPermanent: false, quota });
    expect(refusal.message).not.toContain('never');
    const tooLarge = limitRefusal({ admitted: false, limit, retryAfterSeconds: 12, neverFits: true, quota });
    expect(tooLarge).toMatchObject({ code, isPermanent: true, message: expect.stringContaining('can never fit') });
  });
});
