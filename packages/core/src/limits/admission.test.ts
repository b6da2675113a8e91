import { describe, expect, it } from '@jest/globals';
import type { LimitName } from '../errors/refusal-details.js';
import { incidentInForce } from '../platform/platform-snapshot.js';
import type { ModelSlug } from '../primitives/ids.js';
import { tokenCount } from '../primitives/token-count.js';
import { instant } from '../primitives/time.js';
import { type Admission, limitRefusal } from './admission.js';
import type { IncidentLimit } from './incident-limit.js';

const SMALL = 'small' as ModelSlug;
const LIMIT: IncidentLimit = { model: SMALL, setAt: instant(1), requestsPerMinute: 5, tokensPerMinute: null, concurrentRequests: null, expiresAt: null };

describe('the incident limit in force', () => {
  it.each<readonly [name: string, limit: IncidentLimit, expected: 'in force' | 'none']>([
    ['is one without an end', LIMIT, 'in force'],
    ['is one that ends in the next millisecond', { ...LIMIT, expiresAt: instant(101) }, 'in force'],
    ['is not one that ends now', { ...LIMIT, expiresAt: instant(100) }, 'none'],
    ['is not one of another model', { ...LIMIT, model: 'large' as ModelSlug }, 'none'],
  ])('%s', (_name, limit, expected) => {
    const found = incidentInForce({ incidentLimits: new Map([[limit.model, limit]]) }, SMALL, instant(100));
    expect(found).toEqual(expected === 'none' ? null : limit);
  });
});

describe('the refusal of an admission', () => {
  const quota = { requestsLimit: 60, requestsRemaining: 3, tokensLimit: tokenCount(10), tokensRemaining: tokenCount(4), requestsResetSeconds: 7 };

  function refused(limit: LimitName): Extract<Admission, { admitted: false }> {
    return { admitted: false, limit, incidentModel: null, retryAfterSeconds: 12, neverFits: false, figures: { maximum: 10, used: 8, wanted: 3 }, quota };
  }

  it.each<readonly [limit: LimitName, code: string]>([
    ['requests-per-minute', 'rate_limit_exceeded'],
    ['tokens-per-minute', 'tokens_per_minute_exceeded'],
    ['concurrent-requests', 'concurrency_limit_exceeded'],
    ['tokens-per-day', 'daily_limit_exceeded'],
    ['tokens-per-month', 'monthly_limit_exceeded'],
  ])('by the plan\'s limit of %s has the code %s, the retry delay and the limits', (limit, code) => {
    const refusal = limitRefusal(refused(limit));
    expect(refusal).toMatchObject({ code, retryAfterSeconds: 12, isPermanent: false, quota, exceeded: { limit, incidentModel: null, maximum: 10, used: 8, wanted: 3 } });
    expect(refusal.message).toContain('your plan');
    expect(refusal.message).not.toContain('never');
    const tooLarge = limitRefusal({ ...refused(limit), neverFits: true });
    expect(tooLarge).toMatchObject({ code, isPermanent: true, message: expect.stringContaining('can never fit') });
  });

  it.each<readonly [limit: LimitName, code: string, message: string]>([
    ['requests-per-minute', 'rate_limit_exceeded', 'The model small is limited for now: too many requests per minute to it.'],
    ['tokens-per-minute', 'tokens_per_minute_exceeded', 'The model small is limited for now: too many tokens per minute to it.'],
    ['concurrent-requests', 'concurrency_limit_exceeded', 'The model small is limited for now: too many requests to it at the same time.'],
  ])('by an incident limit of %s has the code %s and names the model', (limit, code, message) => {
    expect(limitRefusal({ ...refused(limit), incidentModel: SMALL })).toMatchObject({ code, message, exceeded: { limit, incidentModel: SMALL } });
    const tooLarge = limitRefusal({ ...refused(limit), incidentModel: SMALL, neverFits: true });
    expect(tooLarge).toMatchObject({ isPermanent: true, message: `${message} This request is larger than the whole limit and cannot fit while it is in force.` });
  });
});
