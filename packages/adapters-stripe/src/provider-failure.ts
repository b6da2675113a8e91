import { PaymentProviderFailure, type PaymentProviderProblem } from '@tollgate/core';
import { Stripe } from 'stripe';

/** Stripe's messages name parameters and parts of a masked key, and are kept as the cause. */
export function asProviderFailure(thrown: unknown): PaymentProviderFailure {
  if (thrown instanceof PaymentProviderFailure) return thrown;
  if (!(thrown instanceof Stripe.errors.StripeError)) return new PaymentProviderFailure('unavailable', 'the answer of Stripe cannot be used', { cause: thrown });
  const problem = problemOf(thrown);
  return new PaymentProviderFailure(problem, `${WORDS[problem]} (${thrown.code ?? thrown.type})`, { cause: thrown });
}

const WORDS: Readonly<Record<PaymentProviderProblem, string>> = {
  'unavailable': 'Stripe cannot be reached or is overloaded',
  'misconfigured': 'Stripe refused the key or the settings of its account',
  'refused': 'Stripe refused the request',
  'invalid-notification': 'the signature of the notification is not valid',
};

function problemOf(error: InstanceType<typeof Stripe.errors.StripeError>): PaymentProviderProblem {
  if (error instanceof Stripe.errors.StripeSignatureVerificationError) return 'invalid-notification';
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError) return 'misconfigured';
  return error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeIdempotencyError ? 'refused' : 'unavailable';
}

/** Throws the error again if it is no decline of a payment method. */
export function declineOf(thrown: unknown): { readonly code: string | undefined; readonly intent: Stripe.PaymentIntent } {
  if (thrown instanceof Stripe.errors.StripeCardError && thrown.payment_intent !== undefined) return { code: thrown.code, intent: thrown.payment_intent };
  throw thrown;
}
