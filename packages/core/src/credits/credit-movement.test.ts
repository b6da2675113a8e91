import { expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/ids.js';
import { instant } from '../primitives/time.js';
import { type AccountEntry, creditMovementOf } from './credit-movement.js';

const COMMON = { entry: 9n, amount: ServiceTokens.parse('3'), at: instant(5) };

it.each<readonly [name: string, entry: Pick<AccountEntry, 'kind'> & Partial<AccountEntry>, movement: object]>([
  ['a top-up is a credit with its expiry', { kind: 'top-up', isCredit: true, reference: 'order', expiresAt: instant(7) }, { kind: 'credit', reference: 'order', expiresAt: instant(7) }],
  ['a late charge is a charge', { kind: 'late-charge', requestId: 'req_1' as RequestId }, { kind: 'charge', requestId: 'req_1' }],
  ['a refund of a request goes back to the credits that paid the request', { kind: 'refund', isCredit: true, requestId: 'req_1' as RequestId }, { kind: 'refund', requestId: 'req_1' }],
  ['a refund of a payment takes its credit back', { kind: 'payment-refund', reference: 'stripe:pay_1:refund:re_1' }, { kind: 'take-back', reference: 'stripe:pay_1' }],
  ['a refund that failed is a credit that does not expire', { kind: 'payment-refund', isCredit: true, reference: 'stripe:pay_1:refund:re_1:failed' }, { kind: 'credit', reference: 'stripe:pay_1:refund:re_1:failed', expiresAt: null }],
  ['a dispute takes its credit back', { kind: 'dispute', reference: 'stripe:pay_1:dispute:d' }, { kind: 'take-back', reference: 'stripe:pay_1' }],
  ['a won dispute is a credit that does not expire', { kind: 'dispute', isCredit: true, reference: 'stripe:pay_1:dispute:d:won' }, { kind: 'credit', reference: 'stripe:pay_1:dispute:d:won', expiresAt: null }],
  ['a correction that raises is a credit that does not expire', { kind: 'correction', isCredit: true, reference: 'c' }, { kind: 'credit', reference: 'c', expiresAt: null }],
  ['a correction that lowers takes as a charge does', { kind: 'correction', reference: 'c' }, { kind: 'charge', requestId: null }],
  ['an expiry names its credit', { kind: 'expiry', reference: 'expiry:4:8' }, { kind: 'expiry', credit: 4n }],
  ['an expiry whose reference names no credit concerns the credit 0', { kind: 'expiry', reference: 'expiry:x' }, { kind: 'expiry', credit: 0n }],
  ['a forfeiture takes as a charge does', { kind: 'forfeiture', reference: 'deletion of acct_1' }, { kind: 'charge', requestId: null }],
])('%s', (_name, entry, movement) => {
  expect(creditMovementOf({ ...COMMON, isCredit: false, requestId: null, reference: null, expiresAt: null, ...entry })).toEqual({ ...COMMON, ...movement });
});
