import { type StandingFacts, standingOf } from '../accounts/account.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { type Instant, later, MILLISECONDS_PER_HOUR } from '../primitives/time.js';
import type { VoucherTerms, VoucherUse } from './voucher.js';

export const MAX_WRONG_VOUCHERS = 10;
export const WRONG_VOUCHERS_MILLISECONDS = MILLISECONDS_PER_HOUR;

/** Wrong codes that an account has entered in one window, which the first of them opened. */
export interface WrongVouchers {
  readonly tries: number;
  readonly since: Instant;
}

export interface RedeemableVoucher extends Pick<VoucherTerms, 'amount' | 'expiresAt' | 'usesPerVoucher'> {
  readonly uses: number;
  readonly isRevoked: boolean;
}

/** Read under the locks of the redemption. */
export interface RedemptionFacts {
  /** `null` if the account does not exist. */
  readonly account: StandingFacts | null;
  readonly wrong: WrongVouchers | null;
  /** `null` for a wrong code. */
  readonly voucher: RedeemableVoucher | null;
  /** Use of this voucher by the account; `null` for none. */
  readonly earlier: VoucherUse | null;
  /** True if the owner of the same mailbox has redeemed this voucher, even for an account that is now deleted. */
  readonly isMailboxKnown: boolean;
}

export type RedemptionDecision =
  | { readonly outcome: 'redeem'; readonly amount: ServiceTokens }
  | { readonly outcome: 'repeated'; readonly use: VoucherUse }
  /** The refusal is the same for every reason, so that it reveals nothing about codes. The caller must store `wrong`. */
  | { readonly outcome: 'refused'; readonly wrong: WrongVouchers }
  | { readonly outcome: 'too-many-tries'; readonly until: Instant }
  | { readonly outcome: 'account-inactive' };

function windowOf(wrong: WrongVouchers | null, at: Instant): WrongVouchers | null {
  return wrong !== null && at < later(wrong.since, WRONG_VOUCHERS_MILLISECONDS) ? wrong : null;
}

function mayBeUsed({ isRevoked, uses, usesPerVoucher, expiresAt }: RedeemableVoucher, at: Instant): boolean {
  return !isRevoked && uses < usesPerVoucher && (expiresAt === null || at < expiresAt);
}

/** A voucher can be redeemed once per account and once per mailbox. */
export function decideRedemption({ account, wrong, voucher, earlier, isMailboxKnown }: RedemptionFacts, at: Instant): RedemptionDecision {
  if (account === null || standingOf(account) !== 'good') return { outcome: 'account-inactive' };
  const window = windowOf(wrong, at);
  if (window !== null && window.tries >= MAX_WRONG_VOUCHERS) return { outcome: 'too-many-tries', until: later(window.since, WRONG_VOUCHERS_MILLISECONDS) };
  if (earlier !== null) return { outcome: 'repeated', use: earlier };
  if (voucher !== null && mayBeUsed(voucher, at) && !isMailboxKnown) return { outcome: 'redeem', amount: voucher.amount };
  return { outcome: 'refused', wrong: { tries: (window?.tries ?? 0) + 1, since: window?.since ?? at } };
}
