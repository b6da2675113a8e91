import { describe, expect, it } from '@jest/globals';
import { daysLeft, isInUse, replacedUntil, stateOf } from './machine.js';

const NOW = new Date('2026-11-22T14:00:00Z');

describe('a machine', () => {
  it.each([
    ['active', 'active', '2026-11-30T14:00:00Z'], ['expires-soon', 'active', '2026-11-30T13:59:59Z'], ['expired', 'expired', '2026-11-22T13:00:00Z'], ['revoked', 'revoked', '2026-11-23T00:00:00Z'],
  ] as const)('is %s', (state, status, expiresAt) => expect(stateOf({ status, expires_at: expiresAt }, NOW)).toBe(state));

  it('states the number of whole days until it expires, at least zero', () => {
    expect(['2026-11-24T13:59:00Z', '2026-11-22T13:00:00Z'].map((at) => daysLeft({ expires_at: at }, NOW))).toEqual([1, 0]);
  });

  it('states until when a replaced secret is still valid', () => {
    const [past, future] = ['2026-11-22T14:00:00Z', '2026-11-22T14:00:01Z'];
    expect([['active', future], ['expired', future], ['active', past], ['revoked', future], ['active', null]].map(([status, at]) =>
      replacedUntil({ status: status as 'active', previous_secret_expires_at: at ?? null }, NOW))).toEqual([future, future, null, null, null]);
  });

  it('counts as in use for seven days after a request', () => {
    expect(['2026-11-15T14:00:01Z', '2026-11-15T14:00:00Z', null].map((at) => isInUse({ last_used_at: at }, NOW))).toEqual([true, false, false]);
  });
});
