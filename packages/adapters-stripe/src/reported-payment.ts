import type { CurrencyAmount, ReportedDispute, ReportedPayment } from '@tollgate/core';
import type { Stripe } from 'stripe';
import { amountFromStripe } from './stripe-amount.js';

/** Stripe's objects that belong to one payment. */
export interface StripePayment {
  /** `null` for a charge of a saved method. */
  readonly session: Stripe.Checkout.Session | null;
  /** The payment intent with its `latest_charge`; `null` before the customer has entered a method. */
  readonly intent: Stripe.PaymentIntent | null;
  readonly refunds: readonly Stripe.Refund[];
  /** Newest first, as Stripe lists them. */
  readonly disputes: readonly Stripe.Dispute[];
}

export function reportedPayment({ session, intent, refunds, disputes }: StripePayment): ReportedPayment {
  const currency = (session?.currency ?? intent?.currency ?? '').toUpperCase();
  const whole = amountFromStripe(session?.amount_total ?? intent?.amount ?? 0, currency);
  return {
    status: session === null ? statusOfIntent(intent) : statusOfSession(session, intent),
    amount: whole,
    currency,
    refunds: refunds.filter(({ status }) => status === 'succeeded').map(({ id, amount }) => ({ id, amount: amountFromStripe(amount, currency) })),
    failedRefunds: refunds.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id),
    requestedRefunds: refunds.flatMap(({ id, metadata }) => (metadata?.['refund'] === undefined ? [] : [{ request: metadata['refund'], id }])),
    disputes: disputes.toReversed().flatMap((dispute) => disputeOf(dispute, { amount: whole, currency })),
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
const DISPUTES: ReadonlyMap<string, ReportedDispute['status']> = new Map([
  ['needs_response', 'open'], ['under_review', 'open'], ['appeal_needs_response', 'open'], ['appeal_under_review', 'open'], ['won', 'won'], ['lost', 'lost'],
]);

/** A dispute in another currency than the payment's counts as one of the whole payment, because its share is unknown. */
function disputeOf({ id, amount, currency, status }: Stripe.Dispute, payment: CurrencyAmount): readonly ReportedDispute[] {
  const known = DISPUTES.get(status);
  if (known === undefined) return [];
  return [{ id, amount: currency.toUpperCase() === payment.currency ? amountFromStripe(amount, payment.currency) : payment.amount, status: known }];
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
