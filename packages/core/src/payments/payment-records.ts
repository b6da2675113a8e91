import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { Payment, PaymentAdjustment, PaymentId, PaymentRefundId, PaymentState, RequestedRefund } from './payment.js';
import type { ReportedPayment, StartedCheckout } from './payment-provider.js';

/** A payment with its refunds and disputes. */
export interface PaymentDetail {
  readonly payment: Payment;
  /** In the order in which they were handled. */
  readonly adjustments: readonly PaymentAdjustment[];
  /** Oldest first. */
  readonly requestedRefunds: readonly RequestedRefund[];
}

export interface PaymentFilters {
  readonly accountId: AccountId | null;
  readonly state: PaymentState | null;
  readonly provider: string | null;
  /** Only payments that were started at or after this time. */
  readonly start: Instant | null;
  /** Only payments that were started before this time. */
  readonly end: Instant | null;
  /** Only payments with a refund or dispute that the balance could not cover in full. */
  readonly isUncovered: boolean;
}

export interface PaymentQuery extends PaymentFilters {
  readonly limit: number;
  /** Last payment of the previous page; `null` for the first page. */
  readonly after: PaymentId | null;
}

export interface PaymentPage {
  readonly payments: readonly Payment[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: PaymentId | null;
}

export interface PaymentCounts {
  readonly open: number;
  readonly unbookable: number;
  readonly uncovered: number;
}

export type RefundRequestOutcome =
  | { readonly outcome: 'requested'; readonly refund: RequestedRefund; readonly payment: Payment }
  | { readonly outcome: 'no-such-payment' | 'not-refundable' }
  /** `refundable`: amount whose refund is neither done nor requested, in the smallest unit of the currency. */
  | { readonly outcome: 'exceeds-payment'; readonly refundable: bigint };

export interface DuePayments {
  readonly provider: string;
  readonly at: Instant;
  readonly limit: number;
}

/** Rows are never deleted. Every change of state is audited, reported as an event and booked in one transaction. */
export interface PaymentRecords {
  /** `too-many`: the account has opened `MAX_PAYMENTS_PER_HOUR` payments within an hour. */
  open(payment: Payment, by: AuditedBy): Promise<'opened' | 'too-many'>;
  /** Stores the checkout that was started at the provider. No effect if the payment is no longer open. */
  started(id: PaymentId, checkout: StartedCheckout): Promise<void>;
  find(id: PaymentId): Promise<PaymentDetail | null>;
  findByReference(provider: string, reference: string): Promise<Payment | null>;
  /** Newest first. */
  list(query: PaymentQuery): Promise<PaymentPage>;
  counts(): Promise<PaymentCounts>;
  /** The account's customer at the provider, from the newest payment with a customer; `null` if there is none. */
  customerOf(accountId: AccountId, provider: string): Promise<string | null>;
  /** Payments whose check is due, the longest due first. Sets the time of their next checks, so that no other process gets the same payments. */
  claimDue(due: DuePayments): Promise<readonly Payment[]>;
  /** Claims a check of the payment. False if the provider was asked after `since`, or another process is asking. */
  claim(id: PaymentId, claim: { readonly since: Instant; readonly at: Instant }): Promise<boolean>;
  /**
   * Applies each change of the report once. Returns the payment afterwards; `null` if it does not exist. `suspends`: true if a dispute suspends the
   * account, unless its owner is an operator.
   */
  apply(id: PaymentId, report: ReportedPayment, by: { readonly at: Instant; readonly suspends: boolean }): Promise<Payment | null>;
  /** Marks the payment as expired if it is open and its checkout never reached the customer. */
  abandon(id: PaymentId, at: Instant): Promise<void>;
  requestRefund(refund: Pick<RequestedRefund, 'id' | 'paymentId'> & { readonly amount: bigint | null; readonly reason: string }, by: AuditedBy): Promise<RefundRequestOutcome>;
  /** Audits that an operator asks the provider again. Returns the payment; `null` if it does not exist. */
  requestCheck(id: PaymentId, by: AuditedBy): Promise<Payment | null>;
  /** No effect if the refund is no longer `requested`. */
  refundAnswered(id: PaymentRefundId, answer: { readonly state: 'accepted'; readonly reference: string } | { readonly state: 'refused' }): Promise<void>;
  /** Refund requests that the provider has not confirmed. */
  unconfirmedRefunds(provider: string, requestedBefore: Instant, limit: number): Promise<readonly { readonly refund: RequestedRefund; readonly payment: Payment }[]>;
}

/** Per account and hour. */
export const MAX_PAYMENTS_PER_HOUR = 20;
