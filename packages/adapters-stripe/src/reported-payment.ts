import type { ReportedPayment } from '@tollgate/core';
import type { Stripe } from 'stripe';
import { amountFromStripe } from './stripe-amount.js';

/** Stripe's objects that belong to one payment. */
export interface StripePayment {
  /** `null` for a charge of a saved method. */
  readonly session: Stripe.Checkout.Session | null;
  /** The payment intent with its `latest_charge`; `null` before the customer has entered a method. */
  readonly intent: Stripe.PaymentIntent | null;
  readonly refunds: readonly Stripe.Refund[];
  readonly disputes: readonly Stripe.Dispute[];
}

export function reportedPayment({ session, intent, refunds, disputes }: StripePayment): ReportedPayment {
  const currency = (session?.currency ?? intent?.currency ?? '').toUpperCase();
  return {
    status: session === null ? statusOfIntent(intent) : statusOfSession(session, intent),
    amount: amountFromStripe(session?.amount_total ?? intent?.amount ?? 0, currency),
    currency,
    refunds: refunds.filter(({ status }) => status === 'succeeded').map(({ id, amount }) => ({ id, amount: amountFromStripe(amount, currency) })),
    failedRefunds: refunds.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id),
    dispute: disputeOf(disputes, currency),
    invoiceUrl: invoiceUrlOf(session, intent),
    customer: idOf(session?.customer ?? intent?.customer ?? null),
    method: methodOf(intent),
  };
}

/** An expired session can no longer be paid; a complete one may wait for a slow method, such as a bank transfer. */
function statusOfSession({ status, payment_status: paid }: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): ReportedPayment['status'] {
  if (paid === 'paid') return 'paid';
  if (status === 'expired') return 'expired';
  return status === 'complete' && (intent?.status === 'requires_payment_method' || intent?.status === 'canceled') ? 'failed' : 'open';
}

function statusOfIntent(intent: Stripe.PaymentIntent | null): ReportedPayment['status'] {
  if (intent?.status === 'succeeded') return 'paid';
  return intent?.status === 'canceled' || intent?.status === 'requires_payment_method' ? 'failed' : 'open';
}

/** Inquiries (`warning_…`) and prevented disputes take no money, and are left out. */
const DISPUTES: ReadonlyMap<string, NonNullable<ReportedPayment['dispute']>['status']> = new Map([
  ['needs_response', 'open'], ['under_review', 'open'], ['appeal_needs_response', 'open'], ['appeal_under_review', 'open'], ['won', 'won'], ['lost', 'lost'],
]);

function disputeOf(disputes: readonly Stripe.Dispute[], currency: string): ReportedPayment['dispute'] {
  for (const { id, amount, status } of disputes) {
    const known = DISPUTES.get(status);
    if (known !== undefined) return { id, amount: amountFromStripe(amount, currency), status: known };
  }
  return null;
}

function invoiceUrlOf(session: Stripe.Checkout.Session | null, intent: Stripe.PaymentIntent | null): string | null {
  const invoice = session?.invoice ?? null;
  const hosted = invoice === null || typeof invoice === 'string' ? null : invoice.hosted_invoice_url ?? null;
  return hosted ?? chargeOf(intent)?.receipt_url ?? null;
}

/** The payment method, if it may be charged later. */
function methodOf(intent: Stripe.PaymentIntent | null): string | null {
  return intent?.setup_future_usage === 'off_session' ? idOf(intent.payment_method) : null;
}

export function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = intent?.latest_charge ?? null;
  return charge === null || typeof charge === 'string' ? null : charge;
}

export function idOf(reference: string | { readonly id: string } | null): string | null {
  return reference === null || typeof reference === 'string' ? reference : reference.id;
}
