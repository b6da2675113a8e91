import { describe, expect, it } from '@jest/globals';
import { type ApiKeyId, budgetAt, endOfPeriod, instant, leftOf, ServiceTokens, type SpendingLimit } from '../index.js';
import { keyLimitRefusal } from './key-limit.js';

const TEN = ServiceTokens.parse('10');
const LATE = instant(Date.UTC(2026, 11, 31, 23, 59, 58, 500));

function limitOf(period: SpendingLimit['period']): SpendingLimit {
  return { amount: TEN, period };
}

describe('a spending limit', () => {
  it.each([['day', '2026-12-31'], ['month', '2026-12']] as const)('per %s counts a request in the period in which it was reserved, and resets when the period ends', (period, name) => {
    const lineage = 'key_1' as ApiKeyId;
    expect(budgetAt({ ...limitOf(period), lineage }, LATE)).toEqual({ lineage, period: name, limit: TEN });
    expect(endOfPeriod(limitOf(period), LATE)).toBe(Date.UTC(2027, 0, 1));
  });

  it.each([['0', '0', '10'], ['4', '5.999999', '0.000001'], ['4', '6', '0'], ['12', '1', '0']])('of 10, with %s spent and %s reserved, leaves %s', (spent, reserved, left) => {
    const budget = budgetAt({ ...limitOf('day'), lineage: 'key_1' as ApiKeyId }, LATE);
    expect(leftOf(budget, { spent: ServiceTokens.parse(spent), reserved: ServiceTokens.parse(reserved) }).toString()).toBe(left);
  });

  it('states in its refusal what is left, what is required and when to retry', () => {
    const error = keyLimitRefusal({ limit: limitOf('day'), left: ServiceTokens.parse('0.5'), needed: ServiceTokens.parse('3'), now: LATE });
    expect(error).toMatchObject({
      code: 'api_key_limit_exceeded', retryAfterSeconds: 2, isPermanent: false,
      message: 'The spending limit of this API key leaves too little: 0.5 of 10 service tokens a day (UTC) are left, and this request needs at least 3 set aside.',
    });
  });

  it('refuses a request above the whole limit as one that can never fit', () => {
    const error = keyLimitRefusal({ limit: limitOf('month'), left: TEN, needed: ServiceTokens.parse('10.000001'), now: LATE });
    expect(error.isPermanent).toBe(true);
    expect(error.message).toContain('can never fit');
  });
});
