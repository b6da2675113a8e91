import {
  type ChargeOutcome, type ChargeRequest, type CheckoutRequest, instant, MILLISECONDS_PER_SECOND, type PaymentProvider, PaymentProviderFailure, type RefundRequest, type ReportedPayment, type StartedCheckout,
} from '@tollgate/core';
import type { Stripe } from 'stripe';
import { referencesIn } from './notified-references.js';
import { asProviderFailure, declineOf, isUnknownCustomer } from './provider-failure.js';
import { chargeOf, idOf, reportedPayment } from './reported-payment.js';
import { stripeAmount } from './stripe-amount.js';
import type { StripeSettings } from './stripe-settings.js';

/** Prefix of references to hosted checkouts; all others are payment intents. */
const SESSION_PREFIX = 'cs_';
/** Maximum number of refunds or disputes read per payment. */
const MAX_LISTED = 100;

/** Payments by Stripe's hosted checkout. No card data reaches this process. */
export class StripeProvider implements PaymentProvider {
  readonly id = 'stripe';
  readonly isSimulated = false;

  constructor(private readonly stripe: Stripe, private readonly settings: StripeSettings) {}

  /** A repetition for the same payment within 24 hours returns the first checkout. */
  async startCheckout(request: CheckoutRequest): Promise<StartedCheckout> {
    return this.#asking(async () => {
      try {
        return await this.#checkout(request, request.payment);
      } catch (thrown) {
        if (request.customer === null || !isUnknownCustomer(thrown)) throw thrown;
        return this.#checkout({ ...request, customer: null }, `${request.payment}:customer`);
      }
    });
  }

  async ask(reference: string): Promise<ReportedPayment> {
    return this.#asking(async () => {
      const session = reference.startsWith(SESSION_PREFIX)
        ? await this.stripe.checkout.sessions.retrieve(reference, { expand: ['payment_intent.latest_charge', 'invoice'] })
        : null;
      const intent = session === null ? await this.stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }) : intentOf(session);
      const charge = chargeOf(intent);
      const ofPayment = { payment_intent: intent?.id ?? '', limit: MAX_LISTED };
      // Lists refunds even if the charge's `amount_refunded` is 0, because that amount no longer contains refunds that failed.
      const refunds = charge === null ? [] : (await this.stripe.refunds.list(ofPayment)).data;
      const disputes = charge?.disputed === true ? (await this.stripe.disputes.list(ofPayment)).data : [];
      return reportedPayment({ session, intent, refunds, disputes });
    });
  }

  /** A repetition for the same payment within 24 hours makes no further charge. */
  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const { payment, customer, method, amount, currency, description } = request;
    return this.#asking(async () => {
      try {
        const intent = await this.stripe.paymentIntents.create({
          amount: stripeAmount({ amount, currency }), currency: currency.toLowerCase(), customer, payment_method: method, description, off_session: true, confirm: true,
          metadata: { payment },
        }, { idempotencyKey: payment });
        return { reference: intent.id, outcome: intent.status === 'succeeded' ? 'paid' : 'pending' };
      } catch (thrown) {
        return this.#declined(thrown, request);
      }
    });
  }

  async openPortal({ customer, returnUrl }: Parameters<PaymentProvider['openPortal']>[0]): Promise<{ readonly url: string }> {
    return this.#asking(async () => {
      const { url } = await this.stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
      return { url };
    });
  }

  /** A repetition for the same `refund` within 24 hours makes no further refund. */
  async refund({ payment, refund, reference, amount, currency }: RefundRequest): Promise<{ readonly reference: string }> {
    return this.#asking(async () => {
      const intent = reference.startsWith(SESSION_PREFIX) ? idOf((await this.stripe.checkout.sessions.retrieve(reference)).payment_intent) : reference;
      if (intent === null) throw new PaymentProviderFailure('refused', 'this checkout was never paid');
      const { id } = await this.stripe.refunds.create({ payment_intent: intent, amount: stripeAmount({ amount, currency }), metadata: { payment, refund } }, { idempotencyKey: refund });
      return { reference: id };
    });
  }

  async #checkout(request: CheckoutRequest, idempotencyKey: string): Promise<StartedCheckout> {
    const { id, url, expires_at: expiresAt } = await this.stripe.checkout.sessions.create(this.#sessionFor(request), { idempotencyKey });
    if (url === null) throw new PaymentProviderFailure('unavailable', 'Stripe sent no address of the checkout');
    return { reference: id, url, expiresAt: instant(expiresAt * MILLISECONDS_PER_SECOND) };
  }

  async readNotification(body: Uint8Array, header: (name: string) => string | null): Promise<readonly string[]> {
    const event = await this.#verified(body, header('stripe-signature'));
    return this.#asking(() => referencesIn(event, (intent) => this.#checkoutOf(intent)));
  }

  #sessionFor({ payment, accountId, email, customer, amount, currency, description, details, returnUrl, cancelUrl, saveMethod }: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
    const { automaticTax } = this.settings;
    return {
      mode: 'payment',
      client_reference_id: accountId,
      metadata: { payment },
      ...(customer === null ? { customer_creation: 'always', customer_email: email } : { customer, ...(automaticTax ? { customer_update: { address: 'auto' } } : {}) }),
      line_items: [{
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(), unit_amount: stripeAmount({ amount, currency }), product_data: { name: description, ...(details === null ? {} : { description: details }) },
          // The price includes the tax, so that the amount paid is the amount of the payment.
          ...(automaticTax ? { tax_behavior: 'inclusive' } : {}),
        },
      }],
      // Off, because the amount would differ in the customer's own currency.
      adaptive_pricing: { enabled: false },
      automatic_tax: { enabled: automaticTax },
      invoice_creation: { enabled: true },
      payment_intent_data: { description, metadata: { payment }, ...(saveMethod ? { setup_future_usage: 'off_session' } : {}) },
      success_url: returnUrl,
      cancel_url: cancelUrl,
    };
  }

  /** The checkout that a payment intent belongs to; a charge of a saved method has none. */
  async #checkoutOf(intent: string): Promise<string> {
    const { data: [session] } = await this.stripe.checkout.sessions.list({ payment_intent: intent, limit: 1 });
    return session?.id ?? intent;
  }

  /**
   * If the bank demands the customer's consent, cancels the intent and starts a checkout for the same payment, so that only the checkout can be paid.
   */
  async #declined(thrown: unknown, request: ChargeRequest): Promise<ChargeOutcome> {
    const { code, intent } = declineOf(thrown);
    if (code !== 'authentication_required') return { reference: intent.id, outcome: 'declined' };
    if (intent.status !== 'canceled') await this.stripe.paymentIntents.cancel(intent.id, undefined, { idempotencyKey: `${request.payment}:cancel` });
    const { reference, url } = await this.#checkout({ ...request, saveMethod: true }, `${request.payment}:authenticate`);
    return { outcome: 'needs-authentication', reference, url };
  }

  /** During a rotation, Stripe signs with both secrets. */
  async #verified(body: Uint8Array, signature: string | null): Promise<Stripe.Event> {
    let refusal: unknown = new PaymentProviderFailure('misconfigured', 'no signing secret of the notifications is set');
    for (const secret of this.settings.webhookSecrets) {
      try {
        return await this.stripe.webhooks.constructEventAsync(Buffer.from(body), signature ?? '', secret);
      } catch (cause) {
        refusal = cause;
      }
    }
    throw asProviderFailure(refusal);
  }

  async #asking<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (cause) {
      throw asProviderFailure(cause);
    }
  }
}

function intentOf({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  return typeof intent === 'string' ? null : intent;
}
