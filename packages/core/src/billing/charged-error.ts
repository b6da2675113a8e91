import { GatewayError } from '../errors/gateway-error.js';
import type { Usage } from '../money/usage.js';
import type { Settlement } from './reservation.js';

export interface ChargedFailure {
  readonly usage: Usage;
  readonly settlement: Settlement;
  readonly fallbackUsed: boolean;
}

/** Error of a request that is charged for the output delivered before the error. */
export class ChargedError extends GatewayError {
  constructor({ code, message, details }: GatewayError, readonly charged: ChargedFailure) {
    super(code, message, details);
  }
}
