import { GatewayError } from '../errors/gateway-error.js';
import type { Usage } from '../money/usage.js';
import type { Settlement } from './reservation.js';

/** What a request used and was charged before it broke off. */
export interface ChargedFailure {
  readonly usage: Usage;
  readonly settlement: Settlement;
  readonly fallbackUsed: boolean;
}

/** The failure of a request that is charged for what it delivered. */
export class ChargedError extends GatewayError {
  constructor({ code, message, details }: GatewayError, readonly charged: ChargedFailure) {
    super(code, message, details);
  }
}
