import { expect, it } from '@jest/globals';
import { hostOf, overlapUntil, stateOf } from './webhook';

it('the state of a webhook says whether it delivers, fails or is disabled, and why it is disabled', () => {
  const states = [
    { status: 'active', disabled_reason: null, failing_since: null }, { status: 'active', disabled_reason: null, failing_since: '2026-11-22T12:03:00.000Z' },
    { status: 'disabled', disabled_reason: 'requested', failing_since: null }, { status: 'disabled', disabled_reason: 'failing', failing_since: '2026-11-22T12:03:00.000Z' },
    { status: 'disabled', disabled_reason: 'gone', failing_since: '2026-11-22T12:03:00.000Z' },
  ] as const;
  expect(states.map(stateOf)).toEqual(['delivering', 'failing', 'requested', 'stopped', 'gone']);
});

it('a webhook is named by its host, without path and query', () => {
  expect([hostOf('https://hooks.example.com:8443/T1/secret?token=x'), hostOf('none')]).toEqual(['hooks.example.com:8443', 'none']);
});

it('deliveries are signed with two secrets until the replaced one expires', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  expect([null, '2026-11-22T11:59:59.000Z', '2026-11-22T12:00:01.000Z'].map((until) => overlapUntil({ previous_secret_expires_at: until }, now))).toEqual([null, null, '2026-11-22T12:00:01.000Z']);
});
