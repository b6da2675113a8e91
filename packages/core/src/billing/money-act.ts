import type { ServiceTokens } from '../money/service-tokens.js';
import type { Actor } from '../platform/actor.js';
import type { AuditedAction } from '../platform/audited-act.js';
import type { AccountId, RequestId } from '../primitives/ids.js';
import { assertNever } from '../primitives/assert-never.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';
import type { Booked } from './booked.js';

interface AnyMoneyAct {
  readonly accountId: AccountId;
  /** Greater than zero, even if the act lowers the balance. */
  readonly amount: ServiceTokens;
  /** Idempotency key within the account, for acts of all kinds. */
  readonly reference: string;
  /** Given by the operator; `null` for none. */
  readonly reason: string | null;
  readonly actor: Actor;
  readonly at: Instant;
}

/** A ledger entry that is not the charge of a request. It changes neither usage records nor token caps nor daily sums. */
export type MoneyAct = AnyMoneyAct & (
  /** `expiresAt`: expiry of the credit; default never. */
  | { readonly kind: 'top-up' | 'signup-credit' | 'voucher' | 'payment'; readonly expiresAt?: Instant | null }
  /** Takes at most the available balance. */
  | { readonly kind: 'expiry' }
  /** `lower` takes at most the available balance; `raise` returns what was taken, because the refund failed or the dispute was won. */
  | { readonly kind: 'payment-refund' | 'dispute'; readonly direction: 'raise' | 'lower' }
  /** All refunds of a request together return at most its charge. Reversals have reserved references. */
  | { readonly kind: 'refund'; readonly requestId: RequestId }
  /** `lower` is refused if the amount exceeds the available balance. */
  | { readonly kind: 'correction'; readonly direction: 'raise' | 'lower' }
);

export type MoneyActOutcome =
  /** `uncovered`: the part of the amount that was not available; zero unless the act is clipped. */
  | { readonly outcome: 'booked'; readonly balance: Balance; readonly booked: Booked; readonly uncovered: ServiceTokens }
  | { readonly outcome: 'repeated'; readonly balance: Balance }
  | { readonly outcome: 'no-such-account' | 'account-deleted' | 'reference-used-otherwise' | 'no-such-request' }
  /** `refundable`: the unrefunded part of the charge. */
  | { readonly outcome: 'exceeds-charge'; readonly refundable: ServiceTokens }
  | { readonly outcome: 'exceeds-balance'; readonly available: ServiceTokens }
  /** No act is booked under the reference. `uncovered` is the whole amount. */
  | { readonly outcome: 'nothing-available'; readonly uncovered: ServiceTokens };

export const MONEY_ACT_KINDS = [
  'top-up', 'signup-credit', 'voucher', 'payment', 'payment-refund', 'dispute', 'refund', 'correction', 'expiry', 'forfeiture',
] as const;

export type MoneyActKind = (typeof MONEY_ACT_KINDS)[number];

export const COUNTER_ACCOUNTS = {
  'top-up': 'system:top-ups',
  'signup-credit': 'system:signup-credits',
  voucher: 'system:vouchers',
  payment: 'system:payments',
  'payment-refund': 'system:payments',
  dispute: 'system:disputes',
  refund: 'system:revenue',
  correction: 'system:corrections',
  expiry: 'system:expiries',
  forfeiture: 'system:forfeitures',
} as const satisfies Readonly<Record<MoneyActKind, string>>;

/** Action of the audit entry that is written with each act. */
export const AUDITED_MONEY_ACTS: Readonly<Record<MoneyActKind, AuditedAction>> = {
  'top-up': 'account.credited',
  'signup-credit': 'account.signup-credit',
  voucher: 'account.voucher',
  payment: 'account.payment',
  'payment-refund': 'account.payment-refund',
  dispute: 'account.dispute',
  refund: 'account.refund',
  correction: 'account.correction',
  expiry: 'account.expiry',
  forfeiture: 'account.deleted',
};

/** Kinds of act that add a credit from outside. Low-balance thresholds in percent are shares of the latest of these credits. */
export const CREDIT_KINDS: readonly MoneyActKind[] = ['top-up', 'signup-credit', 'voucher', 'payment'];

export function lowersBalance(act: MoneyAct): boolean {
  return 'direction' in act ? act.direction === 'lower' : act.kind === 'expiry';
}

/** True if an act that exceeds the available balance takes only what is available. */
export function isClipped(act: MoneyAct): boolean {
  return act.kind !== 'correction' && lowersBalance(act);
}

/** Prefix of a reversal's reference; the request id follows. */
export const REVERSAL_PREFIX = 'reversal of ';

export function reversalReferenceOf(requestId: RequestId): string {
  return `${REVERSAL_PREFIX}${requestId}`;
}

/**
 * A reversal refunds a charge that was never due, because it exceeded the receipt or the response was an error. It is clipped to the unrefunded
 * charge. Unlike other refunds, it reduces what the purchase has paid and what the key has spent.
 */
export function isReversal(act: MoneyAct): act is Extract<MoneyAct, { readonly kind: 'refund' }> {
  return act.kind === 'refund' && act.reference === reversalReferenceOf(act.requestId);
}

/** `null` for a credit that does not expire, and for other acts. */
export function creditExpiryOfAct(act: MoneyAct): Instant | null {
  return 'expiresAt' in act ? act.expiresAt ?? null : null;
}

export function refundedRequestOf(act: MoneyAct): RequestId | null {
  return act.kind === 'refund' ? act.requestId : null;
}

export interface MoneyActRefusal {
  readonly code: 'not_found' | 'conflict';
  /** Shown to operators; contains the figures. */
  readonly message: string;
}

/** `null` if the act was booked, now or earlier. */
export function moneyActRefusalOf(outcome: MoneyActOutcome, { accountId, reference }: Pick<MoneyAct, 'accountId' | 'reference'>): MoneyActRefusal | null {
  switch (outcome.outcome) {
    case 'booked': case 'repeated': return null;
    case 'no-such-account': return { code: 'not_found', message: `There is no account ${accountId}.` };
    case 'no-such-request': return { code: 'not_found', message: `Account ${accountId} has no such request, or it has not ended.` };
    case 'account-deleted': return { code: 'conflict', message: `Account ${accountId} is deleted.` };
    case 'reference-used-otherwise': return { code: 'conflict', message: `The reference ${reference} was already used for something else; nothing was booked.` };
    case 'exceeds-charge':
      return { code: 'conflict', message: `At most ${outcome.refundable.toString()} service tokens of this request can still be refunded.` };
    case 'exceeds-balance':
      return { code: 'conflict', message: `Only ${outcome.available.toString()} service tokens are available; those held by running requests cannot be taken.` };
    case 'nothing-available': return { code: 'conflict', message: 'No service tokens are available; those held by running requests cannot be taken.' };
    default: return assertNever(outcome);
  }
}
