import { currencyDecimal, type CreditOffer, type Instant, type Payment, paymentCreditExpiryOf, type PaymentDetail, reportOf, rfc3339, type SimulatedCheckout } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';

export function encodePayment(payment: Payment) {
  const { id, accountId, provider, state, problem, amount, currency, tokens, packageId, creditExpiresAfterDays = null, refunded, uncovered, url, invoiceUrl, createdAt, changedAt, bookedAt, checkedAt } = payment;
  return {
    object: 'payment' as const, id, account_id: accountId, provider, state, problem, amount: currencyDecimal({ amount, currency }), currency, svc_tokens: tokens.toString(), package_id: packageId,
    credit_expires_after_days: creditExpiresAfterDays, credit_expires_at: timeOrNull(bookedAt === null ? null : paymentCreditExpiryOf(payment, bookedAt)), refunded: currencyDecimal({ amount: refunded, currency }), svc_tokens_uncovered: uncovered.toString(), checkout_url: url, invoice_url: invoiceUrl, created_at: rfc3339(createdAt),
    changed_at: rfc3339(changedAt), booked_at: timeOrNull(bookedAt), checked_at: timeOrNull(checkedAt),
  };
}

export function encodePaymentDetail({ payment, adjustments, requestedRefunds }: PaymentDetail) {
  const { currency } = payment;
  return {
    ...encodePayment(payment),
    adjustments: adjustments.map(({ kind, id, amount, status, claimed, uncovered }) => ({
      kind, id, amount: currencyDecimal({ amount, currency }), status, svc_tokens: claimed.toString(), svc_tokens_uncovered: uncovered.toString(),
    })),
    requested_refunds: requestedRefunds.map(({ id, amount, state, requestedAt }) => ({ id, amount: currencyDecimal({ amount, currency }), state, requested_at: rfc3339(requestedAt) })),
  };
}

/** The packages of credit on offer. `provider` is `null` if payments are off. */
export function encodeCreditOffer({ packages, custom }: CreditOffer, provider: { readonly id: string; readonly isSimulated: boolean } | null) {
  return {
    object: 'credit_offer' as const, provider: provider?.id ?? null, simulated: provider?.isSimulated ?? false,
    packages: packages.map(({ id, name, amount, currency, tokens, bonus, creditExpiresAfterDays = null }) => ({
      id, name, price: currencyDecimal({ amount, currency }), currency, svc_tokens: tokens.toString(), bonus: bonus.toString(), credit_expires_after_days: creditExpiresAfterDays,
    })),
    custom: custom === null ? null : {
      currency: custom.currency, min: currencyDecimal({ amount: custom.min, currency: custom.currency }), max: currencyDecimal({ amount: custom.max, currency: custom.currency }),
      svc_tokens_per_unit: custom.rate,
    },
  };
}

export function encodeSimulatedCheckout(checkout: SimulatedCheckout, now: Instant) {
  const { reference, payment, description, details, amount, currency, paidAt, dispute, returnUrl, cancelUrl, expiresAt } = checkout;
  return {
    object: 'simulated_checkout' as const, reference, payment_id: payment, description, details, amount: currencyDecimal({ amount, currency }), currency, status: reportOf(checkout, now).status,
    pays_at: timeOrNull(paidAt), dispute: dispute?.status ?? null, return_url: returnUrl, cancel_url: cancelUrl, expires_at: rfc3339(expiresAt),
  };
}
