import { describe, expect, it } from '@jest/globals';
import { type ApiKey, instant, type KeySpending, parseTokenRate, ServiceTokens } from '@tollgate/core';
import { anApiKey } from '@tollgate/testkit';
import { encodeApiKey, encodeBoundedApiKey } from './encode-api-key.js';

const NOW = instant(Date.parse('2026-11-22T10:00:00Z'));
const CATALOGUE = { minimumReservation: ServiceTokens.parse('1'), usdPerServiceToken: parseTokenRate('0.5') };

function bounded(limit: ApiKey['limit'], spending: KeySpending | null) {
  return encodeBoundedApiKey(anApiKey({ limit }), { now: NOW, spending, catalogue: CATALOGUE });
}

describe('encodeBoundedApiKey', () => {
  it('adds block, models and spending limit to a listed key', () => {
    const key = anApiKey({ limit: null });
    expect(encodeBoundedApiKey(key, { now: NOW, spending: null, catalogue: CATALOGUE })).toEqual({
      ...encodeApiKey(key, NOW), blocked: false, models: null, spending_limit: null, spent: null, reserved: null, limit_reached: false, spending_resets_at: null,
    });
  });

  it('writes the limit in service tokens with its period, and amounts spent and reserved also in US dollars', () => {
    const spending = { spent: ServiceTokens.parse('2'), reserved: ServiceTokens.parse('0.5') };
    expect(bounded({ amount: ServiceTokens.parse('10'), period: 'day' }, spending)).toMatchObject({
      spending_limit: { svc_tokens: '10', period: 'day' }, spent: { svc_tokens: '2', usd: '1' }, reserved: { svc_tokens: '0.5', usd: '0.25' },
      limit_reached: false, spending_resets_at: '2026-11-23T00:00:00.000Z',
    });
  });

  it.each([['1', false], ['1.000001', true]])('states whether the limit is reached, with %s of 2 spent and a minimum reservation of 1: %s', (spent, isReached) => {
    const spending = { spent: ServiceTokens.parse(spent), reserved: ServiceTokens.ZERO };
    expect(bounded({ amount: ServiceTokens.parse('2'), period: 'month' }, spending)).toMatchObject({ limit_reached: isReached });
  });
});
