import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { AccountId } from '../primitives/ids.js';
import type { AutomaticTopUp } from './automatic-top-up.js';
import { decideTopUp, progressAfter, type TopUpFacts } from './decide-top-up.js';
import type { Payment, PaymentId } from './payment.js';

const NOON = instant(Date.UTC(2026, 10, 18, 12));
const METHOD = { customer: 'cus', method: 'pm' };
const TOP_UP: AutomaticTopUp = {
  settings: { threshold: ServiceTokens.parse('50'), packageId: 'small', tokens: ServiceTokens.parse('100'), amount: 1000n, currency: 'USD', maxPerDay: 2, monthlyAmount: 5000n }, isEnabled: true, declines: 0, stopped: null, waitsFor: null, dueAt: NOON,
};
const FACTS: TopUpFacts = {
  topUp: TOP_UP, balance: ServiceTokens.parse('49.999999'), isServed: true, openCharge: null, charges: { today: 0, thisMonth: 0n }, method: METHOD, provider: 'scripted',
  offer: { packages: [{ id: 'small', name: 'Small', amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO }], custom: null },
};
const CHARGE: Payment = {
  ...METHOD, id: 'pay_1' as PaymentId, accountId: 'acct_1' as AccountId, provider: 'scripted', reference: null, origin: 'top-up', state: 'open', problem: null, amount: 1000n, currency: 'USD',
  tokens: ServiceTokens.parse('100'), packageId: 'small', savesMethod: true, bookedAt: null, refunded: 0n, uncovered: ServiceTokens.ZERO, invoiceUrl: null, url: null, createdAt: NOON, changedAt: NOON, checkedAt: null,
};

function decide(facts: Partial<TopUpFacts>, now = NOON) {
  return decideTopUp({ ...FACTS, ...facts }, now);
}

describe('an account that is due for a check of automatic top-up', () => {
  it('is charged below the threshold, and not at the threshold', () => {
    expect(decide({})).toEqual({ decision: 'charge', method: METHOD, purchase: { packageId: 'small', amount: 1000n, currency: 'USD', tokens: ServiceTokens.parse('100'), creditExpiresAfterDays: null, packageName: 'Small' } });
    expect(decide({ balance: ServiceTokens.parse('50') })).toEqual({ decision: 'done' });
    expect(decide({ topUp: { ...TOP_UP, isEnabled: false } })).toEqual({ decision: 'done' });
  });

  it('waits for the next day or month once a limit of the owner is reached', () => {
    expect(decide({ charges: { today: 1, thisMonth: 4000n } })).toMatchObject({ decision: 'charge' });
    expect(decide({ charges: { today: 2, thisMonth: 2000n } })).toEqual({ decision: 'wait', waitsFor: 'daily-charges', until: Date.UTC(2026, 10, 19) });
    expect(decide({ charges: { today: 0, thisMonth: 4001n } })).toEqual({ decision: 'wait', waitsFor: 'monthly-amount', until: Date.UTC(2026, 11, 1) });
  });

  it('is not charged while its requests are not served', () => {
    expect(decide({ isServed: false })).toEqual({ decision: 'wait', waitsFor: 'account', until: later(NOON, MILLISECONDS_PER_HOUR) });
  });

  it('is not charged another price than its owner agreed to, nor without a payment method', () => {
    const dearer = { ...FACTS.offer, packages: FACTS.offer.packages.map((offered) => ({ ...offered, amount: 1001n })) };
    expect(decide({ offer: dearer })).toEqual({ decision: 'stop', reason: 'not-for-sale' });
    expect(decide({ offer: { packages: [], custom: null } })).toEqual({ decision: 'stop', reason: 'not-for-sale' });
    expect(decide({ method: null })).toEqual({ decision: 'stop', reason: 'no-method' });
  });

  it('is not charged if the package gives fewer tokens than its owner agreed to', () => {
    const giving = (text: string) => ({ ...FACTS.offer, packages: FACTS.offer.packages.map((offered) => ({ ...offered, tokens: ServiceTokens.parse(text) })) });
    expect(decide({ offer: giving('99.999999') })).toEqual({ decision: 'stop', reason: 'fewer-tokens' });
    expect(decide({ offer: giving('100.000001') })).toMatchObject({ decision: 'charge', purchase: { tokens: ServiceTokens.parse('100.000001') } });
  });

  it('waits for an open charge; an interrupted charge is repeated even after automatic top-up was switched off', () => {
    const wait = { decision: 'wait', waitsFor: 'charge', until: later(NOON, 10 * MILLISECONDS_PER_MINUTE) };
    expect(decide({ openCharge: { ...CHARGE, reference: 'ref' } })).toEqual(wait);
    expect(decide({ openCharge: { ...CHARGE, provider: 'another' } })).toEqual(wait);
    expect(decide({ openCharge: { ...CHARGE, reference: 'ref', url: 'https://a.test' } })).toMatchObject({ waitsFor: 'authentication' });
    expect(decide({ openCharge: CHARGE, topUp: { ...TOP_UP, isEnabled: false } })).toEqual({ decision: 'repeat', payment: CHARGE, method: METHOD });
  });

  it('repeats an interrupted charge for 20 hours, and then gives it up', () => {
    const later20 = later(NOON, 20 * MILLISECONDS_PER_HOUR);
    expect(decide({ openCharge: CHARGE }, later(later20, -1))).toMatchObject({ decision: 'repeat' });
    expect(decide({ openCharge: CHARGE }, later20)).toEqual({ decision: 'give-up', payment: CHARGE });
  });
});

describe('a change of a payment', () => {
  it('that automatic top-up made leads to another check, a growing wait, or the end of automatic top-up', () => {
    expect(progressAfter(['paid'], { ...CHARGE, declines: 2 }, NOON)).toEqual({ progress: 'look-again' });
    expect(progressAfter(['failed'], { ...CHARGE, declines: 0 }, NOON)).toEqual({ progress: 'declined', declines: 1, until: later(NOON, MILLISECONDS_PER_HOUR) });
    expect(progressAfter(['expired'], { ...CHARGE, declines: 1 }, NOON)).toEqual({ progress: 'declined', declines: 2, until: later(NOON, MILLISECONDS_PER_DAY) });
    expect(progressAfter(['failed'], { ...CHARGE, declines: 2 }, NOON)).toEqual({ progress: 'stop', reason: 'declined' });
    expect(progressAfter(['unbookable'], { ...CHARGE, declines: 0 }, NOON)).toEqual({ progress: 'stop', reason: 'unbookable' });
    expect(progressAfter([], { ...CHARGE, declines: 0 }, NOON)).toBeNull();
  });

  it('that the owner made stops automatic top-up only if the payment is refunded or disputed', () => {
    const own = { origin: 'checkout', declines: 0 } as const;
    expect(['paid', 'failed', 'unbookable', 'refund-failed', 'dispute-won'].map((step) => progressAfter([step as 'paid'], own, NOON))).toEqual([null, null, null, null, null]);
    expect(progressAfter(['paid', 'refunded'], own, NOON)).toEqual({ progress: 'stop', reason: 'refunded' });
    expect(progressAfter(['disputed'], own, NOON)).toEqual({ progress: 'stop', reason: 'disputed' });
  });
});
