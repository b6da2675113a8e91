import { refuseField } from '../errors/field-fault.js';
import { GatewayError } from '../errors/gateway-error.js';
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

/** The message of a provider's failure is for operators, so owners get another one. */
export async function answerOf<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (cause) {
    if (!(cause instanceof PaymentProviderFailure)) throw cause;
    // The amount is too small or too large, or the provider does not accept the currency.
    if (cause.problem === 'refused') throw new GatewayError('invalid_request', 'The payment provider does not take this payment. Nothing was paid; choose another amount.', { cause });
    throw new GatewayError('service_unavailable', 'The payment provider cannot be reached. Nothing was paid; try again later.', { cause });
  }
}

/** As `answerOf`, for the page of methods and invoices: where nothing is paid, no other amount helps. */
export async function answerForPortal<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (cause) {
    if (!(cause instanceof PaymentProviderFailure)) throw cause;
    // The provider offers no such page, or no longer has the customer.
    if (cause.problem === 'refused') throw new GatewayError('conflict', 'The payment provider has no page of methods and invoices for this account.', { cause });
    throw new GatewayError('service_unavailable', 'The payment provider cannot be reached. Try again later.', { cause });
  }
}

/** As `answerOf`, for an operator's request. */
export async function answerForOperator<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (cause) {
    if (!(cause instanceof PaymentProviderFailure)) throw cause;
    throw new GatewayError('service_unavailable', 'The payment provider did not answer.', { cause });
  }
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
