import { GatewayError } from './gateway-error.js';

/** The store failed or timed out; the operation may have taken effect. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';

  constructor(cause: unknown, what = 'the store is not available') {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The store was replaced while open; later writes would be lost. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost';
}

/** Refusal of a request because the store failed. */
export function storeRefusal(cause: unknown): GatewayError {
  return new GatewayError('service_unavailable', 'The service cannot reach its data store at the moment. Please try again.', { cause });
}

/** The settlement was neither booked nor queued. The request is free; a charge that took effect all the same is reversed. */
export class SettlementRefused extends StoreUnavailable {
  override readonly name = 'SettlementRefused';
}

export function isStoreLost(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.cause instanceof StoreLost;
}

export function isStoreAway(thrown: unknown): boolean {
  return thrown instanceof StoreUnavailable || (thrown instanceof GatewayError && thrown.code === 'service_unavailable');
}

/** Keeps a `GatewayError`, turns a failed store into `service_unavailable`, and anything else into `internal_error`. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof StoreUnavailable) return storeRefusal(thrown);
  return new GatewayError('internal_error', 'The service failed to handle this request. Please try again.', { cause: thrown });
}
