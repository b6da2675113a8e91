import { describe, expect, it } from '@jest/globals';
import { aModel } from '@tollgate/testkit';
import type { IncidentLimit } from '../limits/incident-limit.js';
import { Catalogue } from '../models/catalogue.js';
import { PAY_AS_YOU_GO_PLAN, STANDARD_PLANS } from '../models/plan.js';
import { parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ModelSlug } from '../primitives/ids.js';
import type { TokenCount } from '../primitives/token-count.js';
import { type Instant, instant } from '../primitives/time.js';
import { bannerFor, incidentBanner, maintenanceBanner } from './banner.js';

const NOON = instant(Date.UTC(2026, 10, 23, 12));
const HOUR = 3_600_000;

function at(hours: number): Instant {
  return instant(NOON + hours * HOUR);
}

function aLimit(model: string, differences: Partial<IncidentLimit> = {}): IncidentLimit {
  return {
    model: model as ModelSlug, setAt: at(-1), requestsPerMinute: 1, tokensPerMinute: null, concurrentRequests: null, expiresAt: null, ...differences,
  };
}

describe('the banner of maintenance', () => {
  const maintenance = { startsAt: NOON, endsAt: at(1), message: 'The database moves.' };

  it.each([
    [-1, 'planned', 'Maintenance is planned. While it lasts, requests are refused with maintenance_mode. The database moves.'],
    [0, 'on', 'The service is in maintenance. Requests are refused with maintenance_mode. The database moves.'],
  ] as const)('at %s hours from the start of the maintenance has the state %s', (hours, state, text) => {
    expect(maintenanceBanner(maintenance, at(hours))).toEqual({ kind: 'maintenance', state, from: NOON, until: at(1), text });
  });

  it('disappears when maintenance is over, and does not exist without maintenance', () => {
    expect([maintenanceBanner(maintenance, at(1)), maintenanceBanner(null, NOON)]).toEqual([null, null]);
  });

  it('has the default text if the operator gave none', () => {
    expect(maintenanceBanner({ ...maintenance, message: null }, NOON)?.text).toBe('The service is in maintenance. Requests are refused with maintenance_mode.');
  });
});

describe('the banner of incident limits', () => {
  it('names each limit of a model, with its figures', () => {
    const limit = aLimit('small', { requestsPerMinute: 1_000, tokensPerMinute: 1_234_567 as TokenCount, concurrentRequests: 1 });
    expect(incidentBanner([limit])?.text).toBe('The model small is limited for now: 1,000 requests a minute, 1,234,567 tokens a minute, 1 request at a time.');
  });

  it('sorts models, and is shown from the start of the first limit to the end of the last', () => {
    const limits = [aLimit('b', { setAt: at(-2), expiresAt: at(1) }), aLimit('a', { expiresAt: at(2) })];
    const text = 'The model a is limited for now: 1 request a minute. The model b is limited for now: 1 request a minute.';
    expect(incidentBanner(limits)).toEqual({ kind: 'incident', state: 'on', from: at(-2), until: at(2), text });
    expect(incidentBanner([...limits, aLimit('c')])?.until).toBeNull();
  });

  it.each([[5, ''], [6, ' 1 more model is limited.'], [1_006, ' 1,001 more models are limited.']])('names at most five of %s models', (count, rest) => {
    const text = incidentBanner(Array.from({ length: count }, (_, number) => aLimit(`m${number}`)))?.text ?? '';
    expect(text.split('The model').length - 1).toBe(5);
    expect(text.endsWith(`1 request a minute.${rest}`)).toBe(true);
  });
});

describe('the banner for an owner', () => {
  const catalogue = new Catalogue({
    models: ['small', 'large'].map((slug) => aModel({ slug: slug as ModelSlug })), plans: STANDARD_PLANS, usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO,
  });
  const reader = { plan: { ...PAY_AS_YOU_GO_PLAN, excludedModels: new Set(['large' as ModelSlug]) }, catalogue };
  const limits = new Map([aLimit('small', { expiresAt: at(1) }), aLimit('large'), aLimit('gone')].map((limit) => [limit.model, limit]));

  it('shows active limits on models of the owner’s plan', () => {
    expect(bannerFor({ maintenance: null, incidentLimits: limits }, reader, NOON)?.text).toBe('The model small is limited for now: 1 request a minute.');
    expect(bannerFor({ maintenance: null, incidentLimits: limits }, reader, at(1))).toBeNull();
  });

  it('shows maintenance rather than limits', () => {
    const maintenance = { startsAt: at(2), endsAt: null, message: null, setBy: null, setAt: NOON };
    expect(bannerFor({ maintenance, incidentLimits: limits }, reader, NOON)).toMatchObject({ kind: 'maintenance', state: 'planned', until: null });
  });
});
