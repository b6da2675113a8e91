import { describe, expect, it } from '@jest/globals';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, RequestId } from '../primitives/ids.js';
import { instant } from '../primitives/time.js';
import { MAX_BALANCE } from './balance.js';
import { decideForfeiture, decideMoneyAct, type MoneyActFacts } from './decide-money-act.js';
import { type MoneyAct, reversalReferenceOf } from './money-act.js';

const ACCOUNT = 'acct_1' as AccountId;
const REQUEST = 'req_1' as RequestId;
const KEY = 'key_1' as ApiKeyId;
const AT = instant(5);

function amount(text: string): ServiceTokens {
  return ServiceTokens.parse(text);
}

const COMMON = { accountId: ACCOUNT, amount: amount('3'), reference: 'r', reason: null, actor: SYSTEM_ACTOR, at: AT } as const;
const TOP_UP: MoneyAct = { ...COMMON, kind: 'top-up' };
const REFUND: MoneyAct = { ...COMMON, kind: 'refund', requestId: REQUEST };
const REVERSAL: MoneyAct = { ...REFUND, reference: reversalReferenceOf(REQUEST) };
const PAYMENT: MoneyAct = { ...COMMON, kind: 'payment', reference: 'sandbox:pay_1' };
const PAYMENT_REFUND: MoneyAct = { ...COMMON, kind: 'payment-refund', direction: 'lower', reference: 'sandbox:pay_1:refund:r' };
const EXPIRY: MoneyAct = { ...COMMON, kind: 'expiry', reference: 'expiry:1' };
const DISPUTE: MoneyAct = { ...COMMON, kind: 'dispute', direction: 'lower', reference: 'sandbox:pay_1:dispute:d' };
const LOWER: MoneyAct = { ...COMMON, kind: 'correction', direction: 'lower' };

function facts(differences: Partial<MoneyActFacts> = {}): MoneyActFacts {
  return { account: { balance: { posted: amount('10'), reserved: amount('7') }, isDeleted: false }, earlier: null, request: null, ...differences };
}

function requestOf(charge: string, refunded: string): Partial<MoneyActFacts> {
  return { request: { keyId: KEY, charge: amount(charge), refunded: amount(refunded) } };
}

/** Shows the decision as `AMOUNT to POSTED/RESERVED` with the uncovered amount, or the outcome if no act is booked. */
function decided(act: MoneyAct, differences: Partial<MoneyActFacts> = {}): unknown {
  const decision = decideMoneyAct(act, facts(differences));
  if (decision.act === null) return decision.outcome;
  const { amount: signed, balance: { posted, reserved } } = decision.booked;
  const uncovered = decision.uncovered.isZero() ? '' : `, ${decision.uncovered.toString()} not covered`;
  return `${signed.toString()} to ${posted.toString()}/${reserved.toString()}${uncovered}`;
}

describe('decideMoneyAct', () => {
  const balance = { posted: amount('10'), reserved: amount('7') };

  it.each<readonly [name: string, act: MoneyAct, differences: Partial<MoneyActFacts>, outcome: unknown]>([
    ['a top-up', TOP_UP, {}, '3 to 13/7'],
    ['a correction that takes all that is available', LOWER, {}, '-3 to 7/7'],
    ['a correction that takes one unit more than is available', { ...LOWER, amount: amount('3.000001') }, {}, { outcome: 'exceeds-balance', available: amount('3') }],
    ['a payment', PAYMENT, {}, '3 to 13/7'],
    ['a refund of a payment that takes all that is available', PAYMENT_REFUND, {}, '-3 to 7/7'],
    ['a refund of a payment that takes more than is available', { ...PAYMENT_REFUND, amount: amount('5') }, {}, '-3 to 7/7, 2 not covered'],
    ['a refund of a payment that failed', { ...PAYMENT_REFUND, direction: 'raise', reference: 'sandbox:pay_1:refund:r:failed' }, {}, '3 to 13/7'],
    ['a dispute of more than is available', { ...DISPUTE, amount: amount('3.000001') }, {}, '-3 to 7/7, 0.000001 not covered'],
    ['a dispute that is won', { ...DISPUTE, direction: 'raise', reference: 'sandbox:pay_1:dispute:d:won' }, {}, '3 to 13/7'],
    ['an expiry of more than is available', { ...EXPIRY, amount: amount('4') }, {}, '-3 to 7/7, 1 not covered'],
    ['a dispute of an account without available balance', DISPUTE, { account: { balance: { posted: amount('7'), reserved: amount('7') }, isDeleted: false } }, { outcome: 'nothing-available', uncovered: amount('3') }],
    ['a repetition of a clipped refund of a payment', PAYMENT_REFUND, { earlier: { kind: 'payment-refund', amount: ServiceTokens.ZERO.minus(amount('2')), requestId: null, expiresAt: null } }, { outcome: 'repeated', balance }],
    ['a dispute whose reference has an act that raised the balance', DISPUTE, { earlier: { kind: 'dispute', amount: amount('3'), requestId: null, expiresAt: null } }, { outcome: 'reference-used-otherwise' }],
    ['an unknown account', TOP_UP, { account: null }, { outcome: 'no-such-account' }],
    ['a deleted account', TOP_UP, { account: { balance, isDeleted: true } }, { outcome: 'account-deleted' }],
    ['a repetition of a top-up', TOP_UP, { earlier: { kind: 'top-up', amount: amount('3'), requestId: null, expiresAt: null } }, { outcome: 'repeated', balance }],
    ['a repetition of a top-up after the account was deleted', TOP_UP, { account: { balance, isDeleted: true }, earlier: { kind: 'top-up', amount: amount('3'), requestId: null, expiresAt: null } }, { outcome: 'repeated', balance }],
    ['a top-up with the reference of a top-up of another amount', TOP_UP, { earlier: { kind: 'top-up', amount: amount('2'), requestId: null, expiresAt: null } }, { outcome: 'reference-used-otherwise' }],
    ['a top-up with the reference of a top-up with another expiry', { ...TOP_UP, kind: 'top-up', expiresAt: instant(7) }, { earlier: { kind: 'top-up', amount: amount('3'), requestId: null, expiresAt: instant(8) } }, { outcome: 'reference-used-otherwise' }],
    ['a repetition of a top-up that expires', { ...TOP_UP, kind: 'top-up', expiresAt: instant(7) }, { earlier: { kind: 'top-up', amount: amount('3'), requestId: null, expiresAt: instant(7) } }, { outcome: 'repeated', balance }],
    ['a repetition of a top-up whose expiry has passed', { ...TOP_UP, kind: 'top-up', expiresAt: AT }, { earlier: { kind: 'top-up', amount: amount('3'), requestId: null, expiresAt: AT } }, { outcome: 'repeated', balance }],
    ['a top-up that expires in the next millisecond', { ...TOP_UP, kind: 'top-up', expiresAt: instant(6) }, {}, '3 to 13/7'],
    ['a top-up with the reference of a sign-up credit', TOP_UP, { earlier: { kind: 'signup-credit', amount: amount('3'), requestId: null, expiresAt: null } }, { outcome: 'reference-used-otherwise' }],
    ['a correction with the reference of a correction in the other direction', LOWER, { earlier: { kind: 'correction', amount: amount('3'), requestId: null, expiresAt: null } }, { outcome: 'reference-used-otherwise' }],
    ['a refund with the reference of a refund of another request', REFUND, { earlier: { kind: 'refund', amount: amount('3'), requestId: 'req_2' as RequestId, expiresAt: null } }, { outcome: 'reference-used-otherwise' }],
    ['a repetition of a reversal, with another amount', REVERSAL, { earlier: { kind: 'refund', amount: amount('2'), requestId: REQUEST, expiresAt: null } }, { outcome: 'repeated', balance }],
    ['a top-up with the reference of the forfeiture', { ...TOP_UP, reference: `deletion of ${ACCOUNT}` }, {}, { outcome: 'reference-used-otherwise' }],
    ['a top-up with the reference of a reversal', { ...TOP_UP, reference: reversalReferenceOf(REQUEST) }, {}, { outcome: 'reference-used-otherwise' }],
    ['a top-up with the reference of a payment', { ...TOP_UP, reference: 'stripe:pay_1' }, {}, { outcome: 'reference-used-otherwise' }],
    ['a refund of an unknown request', REFUND, {}, { outcome: 'no-such-request' }],
    ['a refund of all that is left to refund', REFUND, requestOf('5', '2'), '3 to 13/7'],
    ['a refund of more than is left to refund', REFUND, requestOf('5', '2.000001'), { outcome: 'exceeds-charge', refundable: amount('2.999999') }],
    ['a reversal of more than is left to refund', REVERSAL, requestOf('5', '3'), '2 to 12/7'],
    ['a reversal of a charge that is refunded in full', REVERSAL, requestOf('5', '5'), { outcome: 'exceeds-charge', refundable: ServiceTokens.ZERO }],
  ])('decides on %s', (_name, act, differences, outcome) => {
    expect(decided(act, differences)).toEqual(outcome);
  });

  it('books the refund of a request under the key of the request', () => {
    expect(decideMoneyAct(REFUND, facts(requestOf('5', '0')))).toMatchObject({ booked: { kind: 'refund', accountId: ACCOUNT, keyId: KEY, requestId: REQUEST, reference: 'r', at: AT, served: null } });
  });

  it('refuses an amount of zero, a balance above the maximum, and an expiry that is not in the future', () => {
    const account = { balance: { posted: MAX_BALANCE.minus(amount('3')), reserved: ServiceTokens.ZERO }, isDeleted: false };
    expect(decided(TOP_UP, { account })).toBe(`3 to ${MAX_BALANCE.toString()}/0`);
    expect(() => decided({ ...TOP_UP, amount: amount('3.000001') }, { account })).toThrow('would exceed the maximum');
    expect(() => decided({ ...TOP_UP, amount: ServiceTokens.ZERO })).toThrow('more than zero');
    expect(() => decided({ ...TOP_UP, kind: 'top-up', expiresAt: AT })).toThrow('expires_at: must be in the future');
  });
});

describe('decideForfeiture', () => {
  it.each([
    ['takes the whole balance', '10', '0', { outcome: 'forfeited', forfeited: amount('10'), booked: { kind: 'forfeiture', reference: `deletion of ${ACCOUNT}`, amount: ServiceTokens.ZERO.minus(amount('10')) } }],
    ['books no act for a balance of zero', '0', '0', { outcome: 'forfeited', forfeited: ServiceTokens.ZERO, booked: null }],
    ['refuses while a reservation is held', '10', '0.000001', { outcome: 'requests-running' }],
  ])('%s', (_name, posted, reserved, outcome) => {
    expect(decideForfeiture({ accountId: ACCOUNT, balance: { posted: amount(posted), reserved: amount(reserved) }, at: AT })).toMatchObject(outcome);
  });
});
