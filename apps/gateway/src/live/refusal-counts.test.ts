import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type AccountId, instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { RefusalCounts } from './refusal-counts.js';

const ADA = 'acct_ada' as AccountId;
const HALF_PAST_ONE = instant(Date.UTC(2026, 10, 23, 13, 30));

function begin(): { readonly clock: ManualClock; readonly refusals: RefusalCounts; readonly passHours: (hours: number) => void } {
  const clock = new ManualClock(HALF_PAST_ONE);
  return { clock, refusals: new RefusalCounts(clock), passHours: (hours) => clock.advance(hours * MILLISECONDS_PER_HOUR) };
}

describe('counts of refusals', () => {
  it('are grouped by account and code, most frequent first', () => {
    const { refusals } = begin();
    for (const code of ['rate_limit_exceeded', 'insufficient_balance', 'rate_limit_exceeded', 'daily_limit_exceeded'] as const) refusals.add(ADA, code);
    refusals.add('acct_other' as AccountId, 'model_not_found');
    expect(refusals.of(ADA)).toEqual({
      since: HALF_PAST_ONE,
      counts: [{ code: 'rate_limit_exceeded', count: 2 }, { code: 'daily_limit_exceeded', count: 1 }, { code: 'insufficient_balance', count: 1 }],
    });
    expect(refusals.of('acct_quiet' as AccountId).counts).toEqual([]);
  });

  it('expire hour by hour, and state since when they count', () => {
    const { refusals, passHours } = begin();
    refusals.add(ADA, 'rate_limit_exceeded');
    passHours(10);
    refusals.add(ADA, 'rate_limit_exceeded');
    passHours(13);
    expect(refusals.of(ADA)).toEqual({ since: HALF_PAST_ONE, counts: [{ code: 'rate_limit_exceeded', count: 2 }] });
    passHours(1);
    expect(refusals.of(ADA)).toEqual({ since: Date.UTC(2026, 10, 23, 14), counts: [{ code: 'rate_limit_exceeded', count: 1 }] });
    refusals.add(ADA, 'rate_limit_exceeded');
    expect(refusals.of(ADA).counts).toEqual([{ code: 'rate_limit_exceeded', count: 2 }]);
    passHours(10);
    expect(refusals.of(ADA).counts).toEqual([{ code: 'rate_limit_exceeded', count: 1 }]);
    passHours(14);
    expect(refusals.of(ADA).counts).toEqual([]);
  });

  it('restart at zero after days without refusals', () => {
    const { refusals, passHours } = begin();
    for (let hour = 0; hour < 24; hour += 1) {
      refusals.add(ADA, 'rate_limit_exceeded');
      passHours(1);
    }
    expect(refusals.of(ADA).counts).toEqual([{ code: 'rate_limit_exceeded', count: 23 }]);
    passHours(100);
    refusals.add(ADA, 'rate_limit_exceeded');
    expect(refusals.of(ADA).counts).toEqual([{ code: 'rate_limit_exceeded', count: 1 }]);
  });

  it('cover 10,000 accounts; further accounts share a count until the oldest account count expires', () => {
    const { refusals, passHours } = begin();
    for (let number = 0; number < 10_000; number += 1) refusals.add(`acct_${number}` as AccountId, 'rate_limit_exceeded');
    refusals.add('acct_0' as AccountId, 'rate_limit_exceeded');
    refusals.add(ADA, 'model_not_found');
    expect([refusals.of(ADA).counts, refusals.others().counts]).toEqual([[], [{ code: 'model_not_found', count: 1 }]]);
    passHours(23);
    refusals.add('acct_1' as AccountId, 'rate_limit_exceeded');
    refusals.add(ADA, 'model_not_found');
    expect(refusals.others().counts).toEqual([{ code: 'model_not_found', count: 2 }]);
    passHours(1);
    refusals.add(ADA, 'model_not_found');
    expect([refusals.of(ADA).counts, refusals.others().counts]).toEqual([[{ code: 'model_not_found', count: 1 }], [{ code: 'model_not_found', count: 1 }]]);
    expect([refusals.of('acct_1' as AccountId).counts, refusals.of('acct_2' as AccountId).counts]).toEqual([[{ code: 'rate_limit_exceeded', count: 1 }], []]);
  });
});
