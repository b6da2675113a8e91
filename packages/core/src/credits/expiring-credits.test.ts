import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId } from '../primitives/ids.js';
import { type Instant, instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR } from '../primitives/time.js';
import type { CreditLeft } from './credits-left.js';
import { creditNoticeOf, expiryActOf, nextCreditCheck } from './expiring-credits.js';

function day(number: number): Instant {
  return instant(number * MILLISECONDS_PER_DAY);
}

function expiring(expiresAt: Instant | null): CreditLeft {
  return { entry: 7n, reference: 'order 1', expiresAt, amount: ServiceTokens.parse('5'), left: ServiceTokens.parse('2') };
}

describe('the notice that a credit expires', () => {
  it.each([
    ['none 15 days before the expiry', 15, null],
    ['the first one 14 days before the expiry', 14, 14],
    ['the first one until the second is due', 4, 14],
    ['the second one 3 days before the expiry', 3, 3],
    ['the second one on the last day', 0.5, 3],
    ['none once the credit has expired', 0, null],
  ])('is %s', (_name, daysBefore, notice) => {
    expect(creditNoticeOf(expiring(day(100)), day(100 - daysBefore))).toBe(notice);
  });

  it('is never sent for a credit that does not expire', () => {
    expect(creditNoticeOf(expiring(null), day(100))).toBeNull();
  });
});

describe('the next check of an account’s credits', () => {
  it.each([
    ['never, if no credit expires', [null], 0, null],
    ['a day later if nothing is due before', [day(100)], 50, day(51)],
    ['at the first notice', [day(100)], 85.5, day(86)],
    ['at the second notice', [day(100)], 96.5, day(97)],
    ['at the expiry', [day(100)], 99.5, day(100)],
    ['at the earliest of all expiries', [null, day(200), day(100)], 99.5, day(100)],
    ['an hour later if a part of an expired credit is held', [day(100)], 100, instant(100 * MILLISECONDS_PER_DAY + MILLISECONDS_PER_HOUR)],
  ])('is %s', (_name, expiries, at, next) => {
    expect(nextCreditCheck(expiries.map(expiring), day(at))).toBe(next);
  });
});

it('an expiry takes the unused part of a credit; its reference names the credit and the last ledger entry read', () => {
  expect(expiryActOf({ accountId: 'acct_1' as AccountId, credit: expiring(day(1)), through: 12n, at: day(2) }))
    .toMatchObject({ kind: 'expiry', amount: ServiceTokens.parse('2'), reference: 'expiry:7:12', at: day(2) });
});
