import { describe, expect, it } from '@jest/globals';
import { aModel, aPrice } from '@tollgate/testkit';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ModelSlug } from '../primitives/ids.js';
import { instant, type UtcDay } from '../primitives/time.js';
import { daysUntilRefused, MAX_REQUESTS_LEFT, requestsLeft, usualRequest } from './balance-outlook.js';

const NOW = instant(Date.UTC(2026, 10, 18, 12));
const amount = (text: string): ServiceTokens => ServiceTokens.parse(text);

describe('the usual request', () => {
  const model = (slug: string, prompt: string, output: string) => aModel({ slug: slug as ModelSlug, price: aPrice(prompt, '0', '0', output) });
  const dear = model('dear', '0.01', '0.02');
  const cheap = model('cheap', '0.001', '0.002');

  it('is one to the cheapest model, of 500 input and 256 output tokens', () => {
    const request = usualRequest([dear, cheap], ServiceTokens.ZERO);
    expect([request?.model.slug, request?.needed.toString()]).toEqual(['cheap', '1.012']);
  });

  it('needs at least the minimum reservation', () => {
    expect(usualRequest([dear, cheap], amount('2'))?.needed.toString()).toBe('2');
    expect(usualRequest([], amount('2'))).toBeNull();
  });

  it.each([['0', 0], ['1.011999', 0], ['1.012', 1], ['3', 2], ['99999', MAX_REQUESTS_LEFT]])('can be paid for from a balance of %s service tokens: %d times', (available, left) => {
    const request = usualRequest([cheap], ServiceTokens.ZERO);
    expect(request === null ? null : requestsLeft(amount(available), request)).toBe(left);
  });

  it('can be paid for the maximum number of times if it needs no service tokens', () => {
    expect(requestsLeft(ServiceTokens.ZERO, { model: cheap, needed: ServiceTokens.ZERO })).toBe(MAX_REQUESTS_LEFT);
  });
});

describe('the days until requests are refused', () => {
  const days = (available: string, charges: Readonly<Record<string, string>>) => daysUntilRefused(amount(available), amount('1'), {
    now: NOW, days: Object.entries(charges).map(([day, charged]) => ({ day: day as UtcDay, charged: amount(charged), chargedUsd: '0' })),
  });

  it('are unknown without enough days of use', () => {
    expect([days('100', {}), days('100', { '2026-11-17': '1', '2026-11-18': '1' }), days('100', { '2026-11-16': '0', '2026-11-17': '1', '2026-11-18': '1' })]).toEqual([null, null, null]);
    expect(days('100', { '2026-11-10': '5', '2026-11-11': '5', '2026-11-17': '1', '2026-11-18': '1' })).toBeNull();
  });

  it('are estimated from the average spending since the first charge of the last seven days', () => {
    expect(days('13', { '2026-11-16': '1', '2026-11-17': '1', '2026-11-18': '1' })).toBe(12);
    expect(days('13', { '2026-11-12': '1', '2026-11-17': '1', '2026-11-18': '1' })).toBe(28);
    expect(days('13', { '2026-11-11': '9', '2026-11-12': '1', '2026-11-17': '1', '2026-11-18': '1' })).toBe(28);
  });

  it('are zero if the balance is less than a request needs, even without recent spending', () => {
    expect([days('0.999999', {}), days('1', { '2026-11-16': '1', '2026-11-17': '1', '2026-11-18': '1' })]).toEqual([0, 0]);
  });
});
