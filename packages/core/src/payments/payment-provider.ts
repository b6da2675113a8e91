import type { CurrencyAmount } from '../money/currency.js';
import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

/** All that a provider says about a payment when it is asked. */
export interface ReportedPayment extends CurrencyAmount {
  /** `open` may still be paid, also by a slow method. `failed` and `expired` are final only as far as the provider knows. */
  readonly status: 'open' | 'paid' | 'failed' | 'expired';
  /** Completed refunds, started by the gateway or at the provider. */
  readonly refunds: readonly { readonly id: string; readonly amount: bigint }[];
  /** Ids of refunds that did not reach the customer: banks return some after they were completed. */
  readonly failedRefunds: readonly string[];
  /** The customer's bank has taken back the disputed amount; it is returned if the dispute is won. */
  readonly dispute: { readonly id: string; readonly amount: bigint; readonly status: 'open' | 'won' | 'lost' } | null;
  /** Invoice or receipt; for the customer. */
  readonly invoiceUrl: string | null;
  /** The customer at the provider, for later checkouts and for its portal. */
  readonly customer: string | null;
  /** A payment method that may be charged without the customer. */
  readonly method: string | null;
}

export interface CheckoutRequest extends CurrencyAmount {
  /** Id of the payment. Also the idempotency key. */
  readonly payment: string;
  readonly accountId: AccountId;
  readonly email: string;
  /** `null` for the first payment of the account. */
  readonly customer: string | null;
  /** What is bought; shown to the customer. */
  readonly description: string;
  /** Further text below the description; `null` for none. */
  readonly details: string | null;
  /** After payment. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** Whether the method may later be charged without the customer. */
  readonly saveMethod: boolean;
}

export interface StartedCheckout {
  /** Reference of the payment at the provider. */
  readonly reference: string;
  readonly url: string;
  readonly expiresAt: Instant;
}

/** Charges a saved method. If the customer's bank demands consent, it is given in a checkout with these addresses. */
export interface ChargeRequest extends Omit<CheckoutRequest, 'saveMethod'> {
  readonly customer: string;
  readonly method: string;
}

export type ChargeOutcome =
  | { readonly outcome: 'paid' | 'pending' | 'declined'; readonly reference: string }
  | { readonly outcome: 'needs-authentication'; readonly reference: string; readonly url: string };

/** In the payment's currency. */
export interface RefundRequest extends CurrencyAmount {
  readonly payment: string;
  /** Also the idempotency key. */
  readonly refund: string;
  /** Reference of the payment at the provider. */
  readonly reference: string;
}

/**
 * Takes payments outside of the ledger. Every call may be repeated within 24 hours: with the same id it has one effect and the same answer.
 * All throw `PaymentProviderFailure`.
 */
export interface PaymentProvider {
  /** First part of the references under which its payments are booked. */
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
   * References of the payments to ask about. A notification says nothing of a payment's state, so repeated, late and reordered ones are
   * harmless. Throws `invalid-notification` if the signature is missing, wrong or too old.
   */
  readNotification(body: Uint8Array, header: (name: string) => string | null): Promise<readonly string[]>;
}

export type PaymentProviderProblem =
  /** Not reached, overloaded or out of order: a repetition may succeed. */
  | 'unavailable'
  /** The key, account or settings are wrong: an operator must correct them. */
  | 'misconfigured'
  /** Refused as it is, for example a refund of more than was paid. */
  | 'refused'
  | 'invalid-notification';

/** The message is for operators; it contains no secret. */
export class PaymentProviderFailure extends Error {
  override readonly name = 'PaymentProviderFailure';

  constructor(readonly problem: PaymentProviderProblem, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
