import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AccountId } from '@tollgate/core';
import { createLog } from './create-log.js';
import { MoneyHealth } from './money-health.js';

const A = 'acct_a' as AccountId;
const B = 'acct_b' as AccountId;

describe('the health of reservations and settlements', () => {
  let clock: ManualClock;
  let health: MoneyHealth;
  let lines: string[];

  beforeEach(() => {
    clock = new ManualClock();
    lines = [];
    health = new MoneyHealth(clock, createLog('info', { write: (line) => { lines.push((JSON.parse(line) as { readonly msg: string }).msg); } }));
  });

  function times(count: number, tell: () => void): void {
    for (let call = 0; call < count; call += 1) tell();
  }

  function failing(): void {
    times(5, () => health.failed(A));
    expect(health.isFailing).toBe(true);
  }

  it.each<[string, boolean, () => void]>([
    ['five failures of the only account', true, () => times(5, () => health.failed(A))],
    ['four failures', false, () => times(4, () => health.failed(A))],
    ['five failures in ten calls, of two accounts', true, () => times(5, () => { health.succeeded(A); health.failed(B); health.failed(A); })],
    ['five failures in ten calls, all of one account, while another is served', false, () => times(5, () => { health.succeeded(A); health.failed(B); })],
    ['failures of less than half of the calls', false, () => times(5, () => { health.succeeded(A); health.succeeded(B); health.failed(A); })],
    ['five failures without a known account', true, () => times(5, () => health.failed(null))],
    ['five failures over more than ten seconds', false, () => times(5, () => { health.failed(A); clock.advance(2_500); })],
    ['no call at all', false, () => clock.advance(60_000)],
  ])('after %s is failing: %s', (_name, ...[expected, happen]) => {
    happen();
    expect([health.isFailing, lines.length]).toEqual([expected, expected ? 1 : 0]);
  });

  it('recovers once at most a tenth of the calls within ten seconds fail', () => {
    failing();
    clock.advance(5_000);
    times(44, () => health.succeeded(A));
    expect(health.isFailing).toBe(true);
    health.succeeded(A);
    expect(health.isFailing).toBe(false);
    times(4, () => health.failed(A));
    expect([health.isFailing, lines.at(-1)]).toEqual([false, 'the database accepts reservations and settlements again']);
  });

  it('recovers with the first success once the failures are ten seconds old', () => {
    failing();
    clock.advance(10_000);
    expect(health.isFailing).toBe(true);
    health.succeeded(A);
    expect(health.isFailing).toBe(false);
  });

  it('permits a trial after 15 seconds, and after each failed trial waits twice as long, up to 300 seconds', () => {
    failing();
    for (const seconds of [15, 30, 60, 120, 240, 300, 300]) {
      clock.advance(seconds * 1_000 - 1);
      expect(health.isFailing).toBe(true);
      clock.advance(1);
      expect(health.isFailing).toBe(false);
      health.failed(A);
      expect(health.isFailing).toBe(true);
    }
  });

  it('permits the next trial after 15 seconds again once a trial has succeeded', () => {
    failing();
    clock.advance(15_000);
    expect(health.isFailing).toBe(false);
    health.failed(A);
    clock.advance(30_000);
    expect(health.isFailing).toBe(false);
    times(5, () => health.succeeded(A));
    clock.advance(10_000);
    failing();
    clock.advance(15_000);
    expect(health.isFailing).toBe(false);
  });

  it('neither recovers nor permits a trial while a queued settlement is retried every second and fails', () => {
    failing();
    times(120, () => {
      clock.advance(1_000);
      health.failed(null);
      expect(health.isFailing).toBe(true);
    });
  });
});
