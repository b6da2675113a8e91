import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { UpstreamFailure, type UpstreamFailureReason } from '../upstream-failure.js';
import { CircuitBreaker } from './circuit-breaker.js';

const failure = (reason: UpstreamFailureReason = 'server-error') => new UpstreamFailure(reason, 'no');

function opened(): { readonly breaker: CircuitBreaker; readonly clock: ManualClock } {
  const clock = new ManualClock();
  const breaker = new CircuitBreaker(clock);
  for (let count = 0; count < 5; count += 1) breaker.failed(failure());
  return { breaker, clock };
}

describe('CircuitBreaker', () => {
  it('opens after five failures in a row', () => {
    const breaker = new CircuitBreaker(new ManualClock());
    for (let count = 0; count < 4; count += 1) breaker.failed(failure());
    expect(breaker.permits()).toBe(true);
    breaker.failed(failure());
    expect(breaker.permits()).toBe(false);
  });

  it('forgets failures after a success', () => {
    const breaker = new CircuitBreaker(new ManualClock());
    for (let count = 0; count < 4; count += 1) breaker.failed(failure());
    breaker.succeeded();
    for (let count = 0; count < 4; count += 1) breaker.failed(failure());
    expect(breaker.state).toBe('closed');
  });

  it('lets one call try every ten seconds', () => {
    const { breaker, clock } = opened();
    clock.advance(9_999);
    expect(breaker.permits()).toBe(false);
    clock.advance(1);
    expect([breaker.permits(), breaker.permits()]).toEqual([true, false]);
    clock.advance(10_000);
    expect([breaker.permits(), breaker.permits()]).toEqual([true, false]);
  });

  it('closes when the one that tries succeeds', () => {
    const { breaker, clock } = opened();
    clock.advance(10_000);
    breaker.permits();
    breaker.succeeded();
    expect([breaker.permits(), breaker.permits()]).toEqual([true, true]);
  });

  it('closes on probation at the first output of the one that tries', () => {
    const { breaker, clock } = opened();
    clock.advance(10_000);
    breaker.permits();
    breaker.answered();
    expect(breaker.permits()).toBe(true);
    breaker.failed(failure());
    expect(breaker.permits()).toBe(false);
  });

  it.each<[UpstreamFailureReason, 'open' | 'closed']>([
    ['connect-failed', 'open'], ['timed-out', 'open'], ['cut-off', 'open'], ['malformed-reply', 'open'], ['server-error', 'open'], ['bad-credentials', 'open'],
    ['rate-limited', 'closed'], ['model-unknown', 'closed'], ['cancelled', 'closed'], ['refused', 'closed'], ['context-too-long', 'closed'],
  ])('is after many failures by %s %s', (reason, state) => {
    const breaker = new CircuitBreaker(new ManualClock());
    for (let count = 0; count < 10; count += 1) breaker.failed(failure(reason));
    expect(breaker.state).toBe(state);
  });
});
