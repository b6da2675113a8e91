import { PaymentProviderFailure, type PaymentProviderProblem } from '@tollgate/core';
import { Stripe } from 'stripe';

/**
 * Of Stripe's error, keeps only the kind, the code, the status and the id under which Stripe's dashboard has the request. The error's message quotes
 * what was sent and parts of keys, and the error contains the whole reply.
 */
export function asProviderFailure(thrown: unknown): PaymentProviderFailure {
  if (thrown instanceof PaymentProviderFailure) return thrown;
  if (!(thrown instanceof Stripe.errors.StripeError)) {
    // The message of a syntax error quotes the reply.
    const kept = thrown instanceof SyntaxError ? {} : { cause: thrown };
    return new PaymentProviderFailure('unavailable', 'the reply of Stripe could not be read', kept);
  }
  const problem = problemOf(thrown);
  const { code, type, statusCode, requestId } = thrown;
  const facts = [plain(code) ?? plain(type) ?? 'unknown', ...(statusCode === undefined ? [] : [`status ${statusCode}`]), ...(plain(requestId) === null ? [] : [requestId])];
  return new PaymentProviderFailure(problem, `${WORDS[problem]} (${facts.join(', ')})`);
}

/** `null` unless the text has the form of a code or an id. */
function plain(text: string | undefined): string | null {
  return text !== undefined && /^[\w-]{1,80}$/.test(text) ? text : null;
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
  // An earlier attempt of the same request is still running.
  if (error.code === 'idempotency_key_in_use' || error.code === 'lock_timeout') return 'unavailable';
  // After an idempotency error, the outcome is unknown: the earlier request under the key had other fields, and may have moved money.
  return error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError ? 'refused' : 'unavailable';
}

/** Rethrows the error unless it is the decline of a payment method. */
export function declineOf(thrown: unknown): { readonly code: string | undefined; readonly intent: Stripe.PaymentIntent } {
  if (thrown instanceof Stripe.errors.StripeCardError && thrown.payment_intent !== undefined) return { code: thrown.code, intent: thrown.payment_intent };
  throw thrown;
}

/** True if Stripe does not have the customer in the key's mode, test or live, or has deleted it. */
export function isUnknownCustomer(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.code === 'resource_missing' && thrown.param === 'customer';
}

/** True if the key's restrictions do not allow the request. */
export function isForbidden(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripePermissionError;
}
