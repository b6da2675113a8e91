import { isStoreAway } from '../errors/store-failures.js';
import type { CurrencyAmount } from '../money/currency.js';
import type { AccountId } from '../primitives/ids.js';
import { type Instant, MILLISECONDS_PER_HOUR } from '../primitives/time.js';

/** The customer's bank has taken back the disputed amount, and returns it if the operator wins the dispute. */
export interface ReportedDispute {
  readonly id: string;
  readonly amount: bigint;
  readonly status: 'open' | 'won' | 'lost';
}

/** All that a provider says about a payment when it is asked. */
export interface ReportedPayment extends CurrencyAmount {
  /** `open` may still be paid, also by a slow method. `failed` and `expired` are final only as far as the provider knows. */
  readonly status: 'open' | 'paid' | 'failed' | 'expired';
  /** Completed refunds, started by the gateway or at the provider. */
  readonly refunds: readonly { readonly id: string; readonly amount: bigint }[];
  /** Ids of refunds that did not reach the customer: banks return some after they were completed. */
  readonly failedRefunds: readonly string[];
  /** Every refund that the gateway started, also a pending or failed one. `request` is the id under which it was requested. */
  readonly requestedRefunds: readonly { readonly request: string; readonly id: string }[];
  /** Oldest first; a payment can be disputed more than once. */
  readonly disputes: readonly ReportedDispute[];
  /** Invoice or receipt; for the customer. */
  readonly invoiceUrl: string | null;
  /** The customer at the provider, for later checkouts and for the provider's portal. */
  readonly customer: string | null;
  /** A payment method that may be charged without the customer. */
  readonly method: string | null;
}

export interface CheckoutRequest extends CurrencyAmount {
  /** Id of the payment. Also the idempotency key. */
  readonly payment: string;
  readonly accountId: AccountId;
  readonly email: string;
  /** `null` if the account has no customer at the provider yet. */
  readonly customer: string | null;
  /** What is bought; shown to the customer. */
  readonly description: string;
  /** Further text below the description; `null` for none. */
  readonly details: string | null;
  /** Address to which the customer returns after payment. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** True if the method may later be charged without the customer. */
  readonly saveMethod: boolean;
}

export interface StartedCheckout {
  /** Reference of the payment at the provider. */
  readonly reference: string;
  readonly url: string;
  readonly expiresAt: Instant;
}

/**
 * Request to charge a saved method. If the customer's bank demands authentication, the customer authenticates in a checkout that leads to `returnUrl`
 * or `cancelUrl`.
 */
export interface ChargeRequest extends Omit<CheckoutRequest, 'saveMethod'> {
  readonly customer: string;
  readonly method: string;
}

export type ChargeOutcome =
  | { readonly outcome: 'paid' | 'pending' | 'declined'; readonly reference: string }
  | { readonly outcome: 'needs-authentication'; readonly reference: string; readonly url: string };

/** The amount is in the payment's currency. */
export interface RefundRequest extends CurrencyAmount {
  readonly payment: string;
  /** Id of the refund. Also the idempotency key. */
  readonly refund: string;
  /** Reference of the payment at the provider. */
  readonly reference: string;
}

/**
 * Takes payments outside of the ledger. Every call may be repeated within 24 hours: calls with the same id have one effect and the same answer. Every
 * method fails with `PaymentProviderFailure`.
 */
export interface PaymentProvider {
  /** First part of the references under which the provider's payments are booked. */
  readonly id: string;
  /** True if no money moves. */
  readonly isSimulated: boolean;
  startCheckout(request: CheckoutRequest): Promise<StartedCheckout>;
  ask(reference: string): Promise<ReportedPayment>;
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** A page where the customer manages methods and invoices. */
  openPortal(request: { readonly customer: string; readonly returnUrl: string }): Promise<{ readonly url: string }>;
  refund(request: RefundRequest): Promise<{ readonly reference: string }>;
  /**
   * References of the payments to ask about. The state of a payment is never read from a notification, so repeated, late and reordered notifications
   * are harmless. Throws `PaymentProviderFailure`, with `invalid-notification` if the signature is missing, wrong or too old.
   */
  readNotification(body: Uint8Array, header: (name: string) => string | null): Promise<readonly string[]>;
}

/** Longer than a call of a provider takes, with its repetitions: each provider bounds its calls. */
export const MAX_PROVIDER_REQUEST_MILLISECONDS = 180_000;
/** An interrupted request is repeated only for this time after it was recorded, because providers forget idempotency keys after 24 hours. */
export const REQUEST_REPEATED_MILLISECONDS = 20 * MILLISECONDS_PER_HOUR;
/** After this time, neither a request nor a repetition of it can be on its way to the provider. */
export const REQUEST_OVER_MILLISECONDS = REQUEST_REPEATED_MILLISECONDS + MAX_PROVIDER_REQUEST_MILLISECONDS;

export type PaymentProviderProblem =
  /** The provider is not reachable, overloaded or out of order: a repetition may succeed. */
  | 'unavailable'
  /** The key, account or settings are wrong: an operator must correct them. */
  | 'misconfigured'
  /** The provider refuses the request, for example a refund of more than was paid. */
  | 'refused'
  | 'invalid-notification';

/** The message is for operators; it contains no secret. */
export class PaymentProviderFailure extends Error {
  override readonly name = 'PaymentProviderFailure';

  constructor(readonly problem: PaymentProviderProblem, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** True if all further calls of a turn would fail too: the provider has failed, or the store is unavailable. */
export function endsTurn(failure: unknown): boolean {
  return failure instanceof PaymentProviderFailure || isStoreAway(failure);
}
