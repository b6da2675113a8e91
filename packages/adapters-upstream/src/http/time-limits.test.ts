import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { instant } from '@tollgate/core';
import { TimeLimits } from './time-limits.js';

describe('TimeLimits', () => {
  let clock: ManualClock;
  let seen: string[];
  let time: TimeLimits;

  function phase(name: string): () => void {
    return () => seen.push(`${name}@${clock.now()}`);
  }

  beforeEach(() => {
    clock = new ManualClock(instant(0));
    seen = [];
    time = new TimeLimits(clock, { milliseconds: 900, expired: phase('whole') });
  });

  it('does not extend the deadline of the whole call when a phase has a shorter limit than the one before', () => {
    time.start(900, phase('first byte'));
    clock.advance(200);
    time.start(50, () => time.start(900, phase('silence')));
    clock.advance(2_000);
    expect(seen).toEqual(['whole@900']);
  });

  it('does not extend the deadline of the whole call when phases follow each other faster than their limits', () => {
    for (let number = 0; number < 30; number += 1) {
      time.start(number % 2 === 0 ? 100 : 40, phase('phase'));
      clock.advance(35);
    }
    expect(seen).toEqual(['whole@900']);
  });

  it('ends a phase at its limit, however long the limits before it were', () => {
    time.start(60, phase('connect'));
    clock.advance(10);
    time.start(300, phase('first byte'));
    clock.advance(290);
    time.start(20, phase('silence'));
    clock.advance(100);
    expect(seen).toEqual(['silence@320']);
  });

  it('keeps the deadline of the whole call when the clock is set back or forward', () => {
    time.start(10_000, phase('silence'));
    clock.advance(400);
    clock.set(instant(100));
    time.start(5_000, phase('silence'));
    clock.set(instant(3_000));
    time.start(10_000, phase('silence'));
    clock.set(instant(400));
    clock.advance(500);
    expect(seen).toEqual(['whole@900']);
  });

  it('ends neither a phase nor the call after it was stopped', () => {
    time.start(100, phase('connect'));
    time.stop();
    clock.advance(2_000);
    expect([seen, clock.pendingTasks]).toEqual([[], 0]);
  });
});
