import type { CurrencyAmount } from '../money/currency.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId } from '../primitives/ids.js';
import type { Brand } from '../primitives/brand.js';
import { type Instant, later, MILLISECONDS_PER_DAY } from '../primitives/time.js';

/** `pay_<id>` */
export type PaymentId = Brand<string, 'PaymentId'>;
/** `refund_<id>` */
export type PaymentRefundId = Brand<string, 'PaymentRefundId'>;

/**
 * `unbookable`: paid at the provider, but not booked; `problem` says why. `dispute-won`, `dispute-lost`: paid, and the dispute has ended. An
 * unbookable payment that was refunded is `refunded`. If the balance has no room for tokens that a won dispute or a failed refund returns, the
 * payment keeps its state and has the problem `maximum-balance` until there is room.
 */
export const PAYMENT_STATES = [
  'open', 'paid', 'partly-refunded', 'refunded', 'disputed', 'dispute-won', 'dispute-lost', 'failed', 'expired', 'unbookable',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * `account-deleted`: the account is deleted, or its deletion is due, so nothing is booked; the gateway refunds the payment. `maximum-balance`: the
 * first check that finds room in the balance books the tokens; after a refund or dispute, an unbookable payment is not booked any more.
 */
export const PAYMENT_PROBLEMS = ['wrong-amount', 'wrong-currency', 'account-deleted', 'maximum-balance'] as const;
export type PaymentProblem = (typeof PAYMENT_PROBLEMS)[number];

/** `checkout`: paid by the customer on a page. `top-up`: a saved method was charged. */
export const PAYMENT_ORIGINS = ['checkout', 'top-up'] as const;
export type PaymentOrigin = (typeof PAYMENT_ORIGINS)[number];

export interface Payment extends CurrencyAmount {
  readonly id: PaymentId;
  readonly accountId: AccountId;
  /** Id of the provider. */
  readonly provider: string;
  /** Reference at the provider; `null` until the checkout or charge has been started there. */
  readonly reference: string | null;
  readonly origin: PaymentOrigin;
  readonly state: PaymentState;
  readonly problem: PaymentProblem | null;
  /** Tokens that the payment buys. */
  readonly tokens: ServiceTokens;
  /** Package of the catalogue at the time of the payment; `null` for a custom amount. */
  readonly packageId: string | null;
  /** Days from the booking to the expiry of the credit; default never. */
  readonly creditExpiresAfterDays?: number | null;
  /** True if the owner agreed to the saving of the method. */
  readonly savesMethod: boolean;
  readonly bookedAt: Instant | null;
  /** In the smallest unit of the currency. */
  readonly refunded: bigint;
  /** Tokens that refunds and disputes could not take, because they were not available; excludes failed refunds and won disputes. */
  readonly uncovered: ServiceTokens;
  readonly customer: string | null;
  readonly method: string | null;
  readonly invoiceUrl: string | null;
  /** Address of the open checkout. */
  readonly url: string | null;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  /** When the provider last answered, or was last asked because the owner viewed the payment; `null` for never. */
  readonly checkedAt: Instant | null;
}

/** A refund or dispute that a provider reported, and what it took from the balance. */
export interface PaymentAdjustment {
  readonly kind: 'refund' | 'dispute';
  /** Id at the provider. */
  readonly id: string;
  /** In the smallest unit of the currency. */
  readonly amount: bigint;
  /** A refund is `done`, or `failed` if the money came back to the operator. A dispute is `open`, `won` or `lost`. */
  readonly status: 'done' | 'failed' | 'open' | 'won' | 'lost';
  /**
   * Tokens that were bought with the amount, as far as earlier refunds and disputes do not claim them; zero if the payment was not booked, or if the
   * dispute was already won when it was first reported.
   */
  readonly claimed: ServiceTokens;
  /** The part of `claimed` that was not available; zero after a refund that failed or a dispute that was won. */
  readonly uncovered: ServiceTokens;
}

/**
 * A refund that an operator requested. `requested`: the provider has not confirmed the request. `accepted`: the provider has the refund, completed or
 * pending. `refused`: the provider refused it, reported later that it failed, or does not have it although the request was repeated long enough.
 */
export interface RequestedRefund {
  readonly id: PaymentRefundId;
  readonly paymentId: PaymentId;
  readonly amount: bigint;
  readonly state: 'requested' | 'accepted' | 'refused';
  /** Reference of the refund at the provider. */
  readonly reference: string | null;
  readonly requestedAt: Instant;
}

/** Id of the refund of a payment that could not be booked before its account was deleted. There is at most one such refund of a payment. */
export function refundAfterDeletionIdOf({ id }: Pick<Payment, 'id'>): PaymentRefundId {
  return id.replace(/^pay_/u, 'refund_') as PaymentRefundId;
}

/** Expiry of the credit of a payment that is booked at this time; `null` for never. */
export function paymentCreditExpiryOf({ creditExpiresAfterDays: days }: Pick<Payment, 'creditExpiresAfterDays'>, at: Instant): Instant | null {
  return days === undefined || days === null ? null : later(at, days * MILLISECONDS_PER_DAY);
}
