import { GatewayError } from './gateway-error.js';

/** A refusal because the issuer that people sign in by does not answer, or answers nonsense; nothing has been done. */
export function issuerRefusal(cause: unknown): GatewayError {
  return new GatewayError('service_unavailable', 'The sign-in service does not answer at the moment. Please try again, or sign in another way.', { cause });
}
