import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { SYSTEM_ACTOR } from '../platform/actor.js';
import type { AccountId, RequestId } from '../primitives/ids.js';
import { instant } from '../primitives/time.js';
import { type MoneyAct, type MoneyActKind, REVERSAL_PREFIX, reversalReferenceOf } from './money-act.js';
import {
  disputeReferenceOf, EXPIRY_PREFIX, failedRefundReferenceOf, forfeitureReferenceOf, hasForeignReference, paymentReferenceOf, paymentRefundReferenceOf, voucherReferenceOf, wonDisputeReferenceOf,
} from './reserved-references.js';

const ACCOUNT = 'acct_1' as AccountId;
const REQUEST = 'req_1' as RequestId;
const PAYMENT = { provider: 'sandbox', id: 'pay_1' };

const COMMON = { accountId: ACCOUNT, amount: ServiceTokens.parse('1'), reason: null, actor: SYSTEM_ACTOR, at: instant(0) } as const;
const ACTS: readonly Omit<MoneyAct, 'reference'>[] = [
  ...(['top-up', 'signup-credit', 'voucher', 'payment', 'expiry'] as const).map((kind) => ({ ...COMMON, kind })),
  { ...COMMON, kind: 'payment-refund', direction: 'lower' } as Omit<MoneyAct, 'reference'>,
  { ...COMMON, kind: 'dispute', direction: 'lower' } as Omit<MoneyAct, 'reference'>,
  { ...COMMON, kind: 'correction', direction: 'lower' } as Omit<MoneyAct, 'reference'>,
  { ...COMMON, kind: 'refund', requestId: REQUEST } as Omit<MoneyAct, 'reference'>,
];

/** The kinds that may be booked under the reference. */
function permitted(reference: string): readonly MoneyActKind[] {
  return ACTS.filter((act) => !hasForeignReference({ ...act, reference } as MoneyAct)).map(({ kind }) => kind);
}

describe('hasForeignReference', () => {
  it.each<readonly [reference: string, kinds: readonly MoneyActKind[]]>([
    [paymentReferenceOf(PAYMENT), ['payment']],
    [paymentRefundReferenceOf(PAYMENT, 're_1'), ['payment-refund']],
    [failedRefundReferenceOf(PAYMENT, 're_1'), ['payment-refund']],
    [disputeReferenceOf(PAYMENT, 'dp_1'), ['dispute']],
    [wonDisputeReferenceOf(PAYMENT, 'dp_1'), ['dispute']],
    ['stripe:pay_1:other', ['payment']],
    [voucherReferenceOf('vch_1', ACCOUNT), ['voucher']],
    [`${EXPIRY_PREFIX}anything`, ['expiry']],
    [reversalReferenceOf(REQUEST), ['refund']],
    [`${REVERSAL_PREFIX}another`, []],
    [forfeitureReferenceOf(ACCOUNT), []],
    [forfeitureReferenceOf('acct_2' as AccountId), ['top-up', 'signup-credit', 'correction', 'refund']],
    ['order 1841', ['top-up', 'signup-credit', 'correction', 'refund']],
    ['pay_1', ['top-up', 'signup-credit', 'correction', 'refund']],
  ])('allows the reference %s only for acts of the kinds %p', (reference, kinds) => {
    expect(permitted(reference)).toEqual(kinds);
  });
});
