import { ChargedError, type ChargedFailure } from '../billing/charged-error.js';
import type { EndReason } from '../billing/usage-record.js';
import { GatewayError } from '../errors/gateway-error.js';

function publicTextOf(reason: EndReason): string {
  return reason === 'shutdown' ? 'The service is restarting. Please try again.' : 'The model stopped before the end of its reply.';
}

/** Error for a response that broke off. `charged` is `null` if the charge is unknown. */
export function brokenReply(reason: EndReason, failure: unknown, charged: ChargedFailure | null = null): GatewayError {
  const error = failure instanceof GatewayError ? failure : new GatewayError('provider_unavailable', publicTextOf(reason), { cause: failure });
  return charged === null ? error : new ChargedError(error, charged);
}
