import { refuseField } from '../errors/field-fault.js';
import { GatewayError } from '../errors/gateway-error.js';
import { assertNever } from '../primitives/assert-never.js';
import type { Payment } from './payment.js';
import { PaymentProviderFailure } from './payment-provider.js';

export function noSuchPayment(): GatewayError {
  return new GatewayError('not_found', 'There is no such payment.');
}

export function notInUse({ provider }: Payment): GatewayError {
  return new GatewayError('conflict', `This payment was made at ${provider}, which the gateway no longer uses. Look for it there.`);
}

export function noRefundAmount({ currency }: Payment): GatewayError {
  return refuseField('amount', `must be an amount of ${currency} above zero`, { code: 'no_price', currency });
}

/** Returns a failure of the provider instead of throwing it. */
export async function answerOrFailure<Answer>(asking: Promise<Answer>): Promise<Answer | PaymentProviderFailure> {
  try {
    return await asking;
  } catch (thrown) {
    if (thrown instanceof PaymentProviderFailure) return thrown;
    throw thrown;
  }
}

/** Replaces a failure of the provider, whose message is for operators. */
async function answerUnless<Answer>(asking: Promise<Answer>, errorOf: (cause: PaymentProviderFailure) => GatewayError): Promise<Answer> {
  const answer = await answerOrFailure(asking);
  if (answer instanceof PaymentProviderFailure) throw errorOf(answer);
  return answer;
}

/** For a payment that an owner starts. */
export function answerOf<Answer>(asking: Promise<Answer>): Promise<Answer> {
  return answerUnless(asking, (cause) => (cause.problem === 'refused'
    // The amount is too small or too large, or the provider does not accept the currency.
    ? new GatewayError('invalid_request', 'The payment provider does not take this payment. Nothing was paid; choose another amount.', { cause })
    : new GatewayError('service_unavailable', 'The payment provider cannot be reached. Nothing was paid; try again later.', { cause })));
}

/** For the page of payment methods and invoices. Nothing is paid there, so the error does not suggest another amount. */
export function answerForPortal<Answer>(asking: Promise<Answer>): Promise<Answer> {
  return answerUnless(asking, (cause) => (cause.problem === 'refused'
    // The provider offers no such page, or no longer has the customer.
    ? new GatewayError('conflict', 'The payment provider has no page of methods and invoices for this account.', { cause })
    : new GatewayError('service_unavailable', 'The payment provider cannot be reached. Try again later.', { cause })));
}

/** For an operator's request. */
export function answerForOperator<Answer>(asking: Promise<Answer>): Promise<Answer> {
  return answerUnless(asking, (cause) => {
    switch (cause.problem) {
      case 'refused': return new GatewayError('conflict', 'The payment provider refused the request. It may not have this payment: look for it there.', { cause });
      case 'misconfigured': return new GatewayError('service_unavailable', 'The payment provider refused the key or settings of the gateway. Run tollgate doctor.', { cause });
      case 'unavailable': case 'invalid-notification': return new GatewayError('service_unavailable', 'The payment provider did not answer.', { cause });
      default: return assertNever(cause.problem);
    }
  });
}
