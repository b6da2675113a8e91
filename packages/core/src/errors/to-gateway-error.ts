import { GatewayError } from './gateway-error.js';
import { storeRefusal, StoreUnavailable } from './store-unavailable.js';

/** Passes a `GatewayError` on, tells when the store is away, and hides anything else behind `internal_error`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof StoreUnavailable) return storeRefusal(thrown);
  return new GatewayError('internal_error', 'The service failed to handle this request. Please try again.', { cause: thrown });
}
