import { describe, expect, it } from '@jest/globals';
import { creationOf, emptyFields, faultsOf, fieldsOf } from './key-form.js';
import { boundBy, confirmationOf, doesBalanceBind, isInUse, restOf, stateOf, usageSentence, type Key } from './key-state.js';

const NOW = new Date('2026-11-22T14:00:00Z');
const both = (amount: string) => ({ svc_tokens: amount, usd: '0' });
const key: Key = {
  id: 'key_1', object: 'api_key', name: 'ci', hint: 'sk-AB…wxyz', status: 'active', created_at: '2026-11-01T00:00:00Z', updated_at: '2026-11-01T00:00:00Z', expires_at: null, last_used_at: null, revoked_at: null,
  blocked: false, models: null, spending_limit: null, spent: null, reserved: null, limit_reached: false, spending_resets_at: null, requests_7_days: 0,
};
const limited = { ...key, spending_limit: { svc_tokens: '10', period: 'day' as const }, spent: both('9.999999'), reserved: both('0') };

describe('a key', () => {
  it.each([
    ['active', key],
    ['expires-soon', { ...key, expires_at: '2026-11-29T14:00:00Z' }],
    ['active', { ...key, expires_at: '2026-11-30T14:00:00Z' }],
    ['active', limited],
    ['limit-reached', { ...limited, limit_reached: true }],
    ['blocked', { ...limited, limit_reached: true, blocked: true }],
    ['revoked', { ...key, status: 'revoked', blocked: true }],
    ['expired', { ...key, status: 'expired' }],
  ] as const)('is %s', (state, one) => expect(stateOf(one, NOW)).toBe(state));

  it('can spend only the available balance if that is less than what is left of its limit', () => {
    const half = { ...limited, spent: both('4'), reserved: both('1.5') };
    expect([doesBalanceBind(half, '4.499999'), doesBalanceBind(half, '4.5'), doesBalanceBind(key, '0')]).toEqual([true, false, false]);
    expect(boundBy(half)).toBe('5.5');
  });

  it('states what is left of its limit once that is too small for any request', () => {
    const reached = { ...limited, reserved: both('0.000001'), limit_reached: true };
    expect([restOf({ ...reached, spent: both('9.5') }), restOf(reached), restOf({ ...reached, limit_reached: false }), restOf(key)]).toEqual(['0.499999', null, null, null]);
  });

  it('states when and how often it was used', () => {
    expect(usageSentence(key, NOW)).toBe('Never used.');
    expect(usageSentence({ last_used_at: '2026-11-22T13:58:00Z', requests_7_days: 1_204 }, NOW)).toBe('Used 2 min ago, 1,204 requests in 7 days.');
    expect(usageSentence({ last_used_at: '2026-11-22T13:58:00Z', requests_7_days: null }, NOW)).toBe('Used 2 min ago.');
    expect(usageSentence({ last_used_at: '2026-11-03T12:00:00Z', requests_7_days: 0 }, NOW)).toMatch(/^Last used on 3 Nov/);
  });

  it('counts as in use for seven days after a request', () => {
    expect(isInUse({ last_used_at: '2026-11-15T14:00:01Z', requests_7_days: null }, NOW)).toBe(true);
    expect(isInUse({ last_used_at: '2026-11-15T14:00:00Z', requests_7_days: 0 }, NOW)).toBe(false);
  });

  it('without a name is revoked by typing its last characters', () => {
    expect([confirmationOf(key), confirmationOf({ ...key, name: null })]).toEqual(['ci', 'wxyz']);
  });
});

describe('the fields of a key', () => {
  it('become the request that creates it', () => {
    expect(creationOf(emptyFields(' first key '), NOW)).toEqual({ name: 'first key', models: null, spending_limit: null, expires_at: null });
    expect(creationOf({ ...emptyFields(''), expiry: 'quarter', models: ['a'], period: 'day', amount: '1,500.5' }, NOW)).toEqual({
      name: null, models: ['a'], spending_limit: { svc_tokens: '1500.5', period: 'day' }, expires_at: '2027-02-20T14:00:00.000Z',
    });
    expect(creationOf({ ...emptyFields(''), expiry: 'day', day: '2026-12-01' }, NOW).expires_at).toBe('2026-12-01T23:59:59.999Z');
  });

  it('are invalid with a day in the past, and without a valid amount', () => {
    expect(Object.keys(faultsOf({ ...emptyFields(''), expiry: 'day', day: '2026-11-21', period: 'day', amount: '1e3' }, NOW))).toEqual(['day', 'amount']);
    expect(faultsOf({ ...emptyFields(''), expiry: 'day', day: '2026-11-22', period: 'none', amount: 'x' }, NOW)).toEqual({});
  });

  it('begin with the values of an edited key', () => {
    expect(fieldsOf({ ...limited, models: ['a'] })).toMatchObject({ name: 'ci', models: ['a'], period: 'day', amount: '10' });
  });
});
