import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId } from '../primitives/ids.js';
import { instant } from '../primitives/time.js';
import { decideRedemption, type RedemptionFacts } from './decide-redemption.js';
import type { VoucherId, VoucherUse } from './voucher.js';

const HOUR = 3_600_000;
const NOW = instant(10 * HOUR);
const ACTIVE = { status: 'active', emailVerified: true, blocked: false, deletion: null } as const;
const VOUCHER = { amount: ServiceTokens.parse('5'), expiresAt: null, usesPerVoucher: 2, uses: 0, isRevoked: false };
const FACTS: RedemptionFacts = { account: ACTIVE, wrong: null, voucher: VOUCHER, earlier: null, isMailboxKnown: false };
const USE: VoucherUse = {
  number: 1, voucherId: 'voucher_1-1' as VoucherId, hint: '00000…', accountId: 'acct_1' as AccountId, amount: VOUCHER.amount, at: instant(0), creditExpiresAt: null,
};
const REFUSED = { outcome: 'refused', wrong: { tries: 1, since: NOW } };
const REDEEM = { outcome: 'redeem', amount: VOUCHER.amount };

const CASES: readonly (readonly [name: string, facts: Partial<RedemptionFacts>, decision: object])[] = [
  ['credits a voucher that was never used', {}, REDEEM],
  ['credits the last use of a voucher', { voucher: { ...VOUCHER, uses: 1 } }, REDEEM],
  ['is refused for a voucher without a use left', { voucher: { ...VOUCHER, uses: 2 } }, REFUSED],
  ['is refused for a revoked voucher', { voucher: { ...VOUCHER, isRevoked: true } }, REFUSED],
  ['credits a voucher in its last millisecond', { voucher: { ...VOUCHER, expiresAt: instant(NOW + 1) } }, REDEEM],
  ['is refused for an expired voucher', { voucher: { ...VOUCHER, expiresAt: NOW } }, REFUSED],
  ['is refused for a wrong code', { voucher: null }, REFUSED],
  ['is refused if the same mailbox redeemed the voucher for another account', { isMailboxKnown: true }, REFUSED],
  ['returns the earlier use of a voucher that the account redeemed', { earlier: USE, isMailboxKnown: true }, { outcome: 'repeated', use: USE }],
  ['returns the earlier use even if the voucher is revoked now', { earlier: USE, voucher: { ...VOUCHER, isRevoked: true } }, { outcome: 'repeated', use: USE }],
  ['is refused for an account that does not exist', { account: null }, { outcome: 'account-inactive' }],
  ['is refused for a suspended account', { account: { ...ACTIVE, status: 'suspended' } }, { outcome: 'account-inactive' }],
  ['is refused for an account with a pending deletion', { account: { ...ACTIVE, status: 'pending-deletion' } }, { outcome: 'account-inactive' }],
  ['is refused for an account whose address is not verified', { account: { ...ACTIVE, emailVerified: false } }, { outcome: 'account-inactive' }],
  ['is refused for a blocked account, even for a voucher that it redeemed', { account: { ...ACTIVE, blocked: true }, earlier: USE }, { outcome: 'account-inactive' }],
  ['credits a right code after nine wrong ones', { wrong: { tries: 9, since: instant(NOW - 1) } }, REDEEM],
  ['is refused for the tenth wrong code as for the ones before', { voucher: null, wrong: { tries: 9, since: instant(NOW - 1) } }, { outcome: 'refused', wrong: { tries: 10, since: instant(NOW - 1) } }],
  ['is refused for an hour after ten wrong codes, even for a right one', { wrong: { tries: 10, since: instant(NOW - 1) } }, { outcome: 'too-many-tries', until: instant(NOW - 1 + HOUR) }],
  ['is refused after ten wrong codes, even for a code that the account redeemed', { earlier: USE, wrong: { tries: 10, since: NOW } }, { outcome: 'too-many-tries', until: instant(NOW + HOUR) }],
  ['credits a right code an hour after the first of ten wrong ones', { wrong: { tries: 10, since: instant(NOW - HOUR) } }, REDEEM],
  ['is refused for a wrong code that counts as the first, an hour after the first of ten', { voucher: null, wrong: { tries: 10, since: instant(NOW - HOUR) } }, REFUSED],
];

describe('a redemption', () => {
  it.each(CASES)('%s', (_name, facts, decision) => {
    expect(decideRedemption({ ...FACTS, ...facts }, NOW)).toEqual(decision);
  });
});
