import { describe, expect, it } from '@jest/globals';
import { instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { PaymentState } from './payment.js';
import { nextCheckAt } from './payment-checks.js';

/** Ages in minutes at which a payment is checked without any notification. */
function checks(state: PaymentState): readonly number[] {
  const createdAt = instant(0);
  const ages: number[] = [];
  for (let at = nextCheckAt({ state, problem: null, createdAt }, createdAt); at !== null; at = nextCheckAt({ state, problem: null, createdAt }, at)) ages.push(at / MILLISECONDS_PER_MINUTE);
  return ages;
}

describe('nextCheckAt', () => {
  it('schedules checks often at first, then ever less', () => {
    const ages = checks('open');
    expect(ages.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6.25, 7.8125, 9.765616666666666]);
    expect(ages.length).toBeLessThan(70);
    expect(Math.max(...ages)).toBeGreaterThan(170 * 1440);
  });

  it('stops after two weeks for a checkout that was not paid', () => {
    expect(Math.max(...checks('expired'))).toBeLessThan(18 * 1440);
    expect(nextCheckAt({ state: 'failed', problem: null, createdAt: instant(0) }, later(instant(0), 14 * MILLISECONDS_PER_DAY))).toBeNull();
  });

  it.each([{ state: 'disputed', problem: null }, { state: 'unbookable', problem: 'maximum-balance' }, { state: 'dispute-lost', problem: 'maximum-balance' }, { state: 'paid', problem: null, awaitsRefund: true }] as const)('never stops while tokens may be owed: %j', (payment) => {
    const now = later(instant(0), 1_000 * MILLISECONDS_PER_DAY);
    expect(nextCheckAt({ ...payment, createdAt: instant(0) }, now)).toBe(later(now, 7 * MILLISECONDS_PER_DAY));
  });
});
